import { type Static, type TProperties, type TSchema, Type } from 'typebox';
import type { FieldSchema, FieldSet } from './fields.ts';

/**
 * Schemas of responses in OpenAPI 3.0: as in JSON Schema, except for `nullable`, and a `$ref` has no siblings. A string
 * argument of these functions is the description.
 */

/** A schema with a name. The document contains it once, among its components. */
export type Component<S extends TSchema = TSchema> = S & { readonly $id: string; readonly description?: string };

const about = (description: string | undefined) => (description === undefined ? {} : { description });

export const text = (description?: string) => Type.String(about(description));
const INT64 = { format: 'int64' };
export const integer = (description?: string) => Type.Integer({ ...INT64, ...about(description) });
export const flag = (description?: string) => Type.Boolean(about(description));
export const texts = (description?: string) => Type.Array(Type.String(), about(description));
/** A duration in seconds. */
export const seconds = (description?: string) => integer([description, 'Seconds.'].filter(Boolean).join(' '));
/** A time in RFC 3339. */
export const time = (description?: string) => Type.String({ format: 'date-time', ...about(description) });
export const word = <const Words extends readonly string[]>(words: Words, description?: string) =>
  Type.Unsafe<Words[number]>({ type: 'string', enum: [...words], ...about(description) });
export const listOf = <S extends TSchema>(items: S, description?: string) => Type.Array(items, about(description));
/** Values by arbitrary names. */
export const mapOf = <S extends TSchema>(values: S, description?: string) =>
  Type.Unsafe<Record<string, Static<S>>>({ type: 'object', additionalProperties: values, ...about(description) });
/** An object with arbitrary members. */
export const anyObject = (description?: string) => mapOf(Type.Unknown(), description);

/** A member that may be absent. */
export const optional = <S extends TSchema>(schema: S) => Type.Optional(schema);

/** Makes some of the properties optional. */
export const optionals = (properties: TProperties, names: readonly string[]): TProperties =>
  Object.fromEntries(names.map((name) => [name, Type.Optional(properties[name] ?? Type.Unknown())]));

/** A member that is always present and may be null. */
export function orNull<S extends TSchema>(schema: S) {
  const named = (schema as { $id?: string }).$id !== undefined;
  return Type.Unsafe<Static<S> | null>(
    named ? { type: 'object', nullable: true, allOf: [schema] } : { ...schema, nullable: true },
  );
}

/** An object with a name, such as `CertRole`. Members that are not optional are in every response. */
export function component<P extends TProperties>(name: string, properties: P, description?: string) {
  return Type.Object(properties, { $id: name, ...about(description) }) as Component<ReturnType<typeof Type.Object<P>>>;
}

/** A named schema of values by arbitrary names. */
export function mapComponent<S extends TSchema>(name: string, values: S, description?: string) {
  return Type.Unsafe<Record<string, Static<S>>>({ $id: name, ...mapOf(values, description) }) as unknown as Component;
}

/** Returns the schemas of fields in a read: durations as seconds, and nullable fields whose initial value is null. */
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
