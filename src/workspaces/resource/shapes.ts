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

/** Schema of an object with these boolean members. */
export function flags<const Name extends string>(names: readonly Name[]) {
  return Type.Object(Object.fromEntries(names.map((name) => [name, flag])) as Record<Name, typeof flag>);
}

/** Schema of an object with times under arbitrary names. */
export const times = mapOf(time);

/** Schema of an object with values under arbitrary names. */
export function mapOf(values: TSchema) {
  return Type.Unsafe<object>({ type: 'object', additionalProperties: values });
}

const related = Type.Optional(Type.Object({ related: text }));

function identifier(types: readonly string[]) {
  return Type.Object({ type: types.length === 0 ? text : Type.Enum([...types]), id: text });
}

/** Schema of a relationship to one resource of these types, or to none. Without arguments, any type is allowed. */
export function toOne(...types: readonly string[]) {
  return Type.Object({ data: nullable(identifier(types)), links: related });
}

/** Schema of a relationship to several resources of one type. */
export function toMany(type: string) {
  return Type.Object({ data: Type.Array(identifier([type])), links: related });
}

/** Schema of a relationship with a link only. */
export const linkOnly = Type.Object({ links: Type.Object({ related: text }) });

/** Schema of a relationship with a link to the related resource. */
export function linkedToMany(type: string) {
  return Type.Object({ data: Type.Optional(Type.Array(identifier([type]))), links: Type.Object({ related: text }) });
}

/** Schema of one resource (JSON:API 1.1 §7.2). Required members are in every document that contains it. */
export function resource(type: string | readonly string[], attributes: TProperties, relationships?: TProperties) {
  return Type.Object({
    id: text,
    type: Type.Enum([type].flat()),
    attributes: Type.Object(attributes),
    ...(relationships && { relationships: Type.Object(relationships) }),
    links: Type.Optional(mapOf(text)),
  });
}
