import { type TProperties, type TSchema, Type } from 'typebox';
import { nullable } from '../jsonapi/schema.ts';

export const text = Type.String();
export const integer = Type.Integer();
export const flag = Type.Boolean();
export const time = Type.String({ format: 'date-time' });
export const texts = Type.Array(text);
export const textOrNull = nullable(text);
export const integerOrNull = nullable(integer);
export const timeOrNull = nullable(time);
export const textsOrNull = nullable(texts);

/** `true` or `false` under each of the names. */
export function flags(names: readonly string[]) {
  return Type.Object(Object.fromEntries(names.map((name) => [name, flag])));
}

/** Times under names that are not known beforehand. */
export const times = mapOf(time);

/** Values under names that are not known beforehand. */
export function mapOf(values: TSchema) {
  return Type.Unsafe<object>({ type: 'object', additionalProperties: values });
}

const related = Type.Optional(Type.Object({ related: text }));

function identifier(types: readonly string[]) {
  return Type.Object({ type: types.length === 0 ? text : Type.Enum([...types]), id: text });
}

/** To one resource of these types, or to none; of any type when none is named. */
export function toOne(...types: readonly string[]) {
  return Type.Object({ data: nullable(identifier(types)), links: related });
}

/** To several resources of a type. */
export function toMany(type: string) {
  return Type.Object({ data: Type.Array(identifier([type])), links: related });
}

/** To what the client fetches when it wants it. */
export const linkOnly = Type.Object({ links: Type.Object({ related: text }) });

/** To what is pointed at where it was asked for. */
export function linkedToMany(type: string) {
  return Type.Object({ data: Type.Optional(Type.Array(identifier([type]))), links: Type.Object({ related: text }) });
}

/** One resource (JSON:API 1.1 §7.2). What is not optional is there in every document that shows it. */
export function resource(type: string | readonly string[], attributes: TProperties, relationships?: TProperties) {
  return Type.Object({
    id: text,
    type: Type.Enum([type].flat()),
    attributes: Type.Object(attributes),
    ...(relationships && { relationships: Type.Object(relationships) }),
    links: Type.Optional(mapOf(text)),
  });
}
