import { type Static, type TProperties, type TSchema, Type } from 'typebox';
import type { FieldSchema, FieldSet } from './fields.ts';

/**
 * Schemas of what operations answer, in the words of OpenAPI 3.0: those of JSON Schema, but for `nullable`, and a `$ref` has
 * nothing beside it. A text given to one of these functions is its description.
 */

/** A schema with a name. The document has it once, among its components, and refers to it. */
export type Component<S extends TSchema = TSchema> = S & { readonly $id: string; readonly description?: string };

const about = (description: string | undefined) => (description === undefined ? {} : { description });

export const text = (description?: string) => Type.String(about(description));
const INT64 = { format: 'int64' };
export const integer = (description?: string) => Type.Integer({ ...INT64, ...about(description) });
export const flag = (description?: string) => Type.Boolean(about(description));
export const texts = (description?: string) => Type.Array(Type.String(), about(description));
/** A length of time, in seconds. */
export const seconds = (description?: string) => integer([description, 'Seconds.'].filter(Boolean).join(' '));
/** RFC 3339 */
export const time = (description?: string) => Type.String({ format: 'date-time', ...about(description) });
export const word = <const Words extends readonly string[]>(words: Words, description?: string) =>
  Type.Unsafe<Words[number]>({ type: 'string', enum: [...words], ...about(description) });
export const listOf = <S extends TSchema>(items: S, description?: string) => Type.Array(items, about(description));
/** Values under names that are not known beforehand. */
export const mapOf = <S extends TSchema>(values: S, description?: string) =>
  Type.Unsafe<Record<string, Static<S>>>({ type: 'object', additionalProperties: values, ...about(description) });
/** Whatever its members are. */
export const anyObject = (description?: string) => mapOf(Type.Unknown(), description);

/** May be left out of an answer. */
export const optional = <S extends TSchema>(schema: S) => Type.Optional(schema);

/** Some of the properties: they may be left out of an answer. */
export const optionals = (properties: TProperties, names: readonly string[]): TProperties =>
  Object.fromEntries(names.map((name) => [name, Type.Optional(properties[name] ?? Type.Unknown())]));

/** There in every answer, and null at times. */
export function orNull<S extends TSchema>(schema: S) {
  const named = (schema as { $id?: string }).$id !== undefined;
  return Type.Unsafe<Static<S> | null>(
    named ? { type: 'object', nullable: true, allOf: [schema] } : { ...schema, nullable: true },
  );
}

/** An object with a name: `CertRole`. What is not optional is there in every answer that shows it. */
export function component<P extends TProperties>(name: string, properties: P, description?: string) {
  return Type.Object(properties, { $id: name, ...about(description) }) as Component<ReturnType<typeof Type.Object<P>>>;
}

/** Objects by a name that is not known beforehand, as a component. */
export function mapComponent<S extends TSchema>(name: string, values: S, description?: string) {
  return Type.Unsafe<Record<string, Static<S>>>({ $id: name, ...mapOf(values, description) }) as unknown as Component;
}

/** Fields as a read shows them: lengths of time as seconds, what nobody has set as null where it begins so. */
export function shownFields(fields: FieldSet): TProperties {
  const shown = Object.entries(fields).map(([name, { schema, initial, description }]) => {
    const own = { ...(schema && shownSchema(schema)), ...about(description) };
    return [name, Type.Unsafe<unknown>(schema && initial === null ? { ...own, nullable: true } : own)];
  });
  return Object.fromEntries(shown);
}

function shownSchema(schema: FieldSchema): object {
  return schema.format === 'duration' || schema.type === 'integer' ? { type: 'integer', ...INT64 } : schema;
}
