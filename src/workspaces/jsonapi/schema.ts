import { type Static, type TProperties, type TSchema, Type } from 'typebox';

/** No NUL, because PostgreSQL cannot store it. */
const STORABLE = '^[^\\u0000]*$';

/** A string of at most `maxLength` characters that both databases can store. */
export function text(maxLength: number) {
  return Type.String({ maxLength, pattern: STORABLE });
}

/** The schema's type, or null. One `type` list instead of a union keeps error messages short. */
export function nullable<S extends TSchema & { type: string }>(schema: S) {
  return Type.Unsafe<Static<S> | null>({ ...schema, type: [schema.type, 'null'] });
}

/** Schema of one of the words, or null. */
export function nullableEnum<const Words extends readonly string[]>(words: Words) {
  return Type.Unsafe<Words[number] | null>({ enum: [...words, null] });
}

/** RFC 3339 with a four-digit year. Leap seconds are refused, because `Date.parse` does not know them. */
export const timestamp = Type.String({
  format: 'date-time',
  pattern: '^(19|[2-8]\\d).{15}[0-5]\\d(\\.\\d{1,9})?(Z|[+-].{5})$',
});

/** Splits a query parameter at commas and trims the words. */
export function commaList(text: string | undefined): string[] {
  const words = (text ?? '').split(',').map((word) => word.trim());
  return words.filter((word) => word !== '');
}

/**
 * An opaque identifier in a path. A text that cannot be an identifier gets 404 instead of an error about its form.
 */
export const Id = Type.String({ pattern: '^[A-Za-z0-9_.-]{1,100}$' });

/**
 * `data.type` where HCP Terraform does not check it and clients send other types. Everywhere else, a wrong type gets
 * 422 (compatibility.md). Every body must declare its type (validation.ts).
 */
export const ANY_TYPE = Type.Optional(Type.Unknown());

/**
 * Type of a resource or an identifier. Only one value is possible, so generated clients (go-tfe v2) omit it; a wrong
 * one gets 422.
 */
export function typed<const T extends string>(type: T) {
  return Type.Optional(Type.Literal(type));
}

/** Resource identifier. Clients may send further members of the resource. */
export function identifier<const T extends string>(type: T) {
  return Type.Object({ type: typed(type), id: text(100) });
}

/** `data` of a to-many relationship to resources of one type. */
export function identifiers<const T extends string>(type: T, sizes: { minItems?: number; maxItems: number }) {
  return Type.Array(identifier(type), sizes);
}

/**
 * Body with one resource. Undefined members are ignored, because clients send additional ones.
 * @param type the only valid `data.type`, which may be absent; or a schema: ANY_TYPE, or a literal where the
 * specification requires the type
 */
export function resourceBody<A extends TSchema, R extends TProperties>(
  type: string | TSchema,
  attributes: A,
  relationships: R,
) {
  return Type.Object({
    data: Type.Object({
      type: typeof type === 'string' ? typed(type) : type,
      attributes,
      relationships: Type.Optional(Type.Object(relationships)),
    }),
  });
}
