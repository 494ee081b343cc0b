import { type Static, type TProperties, type TSchema, Type } from 'typebox';

/** No NUL: PostgreSQL cannot store one. */
const STORABLE = '^[^\\u0000]*$';

/** A string of at most `maxLength` characters that both databases can store. */
export function text(maxLength: number) {
  return Type.String({ maxLength, pattern: STORABLE });
}

/** The schema's type, or null. One `type` list instead of a union keeps the message about a wrong value short. */
export function nullable<S extends TSchema & { type: string }>(schema: S) {
  return Type.Unsafe<Static<S> | null>({ ...schema, type: [schema.type, 'null'] });
}

/** One of the words, or null. */
export function nullableEnum<const Words extends readonly string[]>(words: Words) {
  return Type.Unsafe<Words[number] | null>({ enum: [...words, null] });
}

/** RFC 3339, of a year with four digits everywhere, and without a leap second: `Date.parse` knows none. */
export const timestamp = Type.String({
  format: 'date-time',
  pattern: '^(19|[2-8]\\d).{15}[0-5]\\d(\\.\\d{1,9})?(Z|[+-].{5})$',
});

/** Words separated by commas in a query parameter, without the space around them. */
export function commaList(text: string | undefined): string[] {
  const words = (text ?? '').split(',').map((word) => word.trim());
  return words.filter((word) => word !== '');
}

/** An opaque identifier in a path. Whatever cannot be one names nothing: 404, not an error about its form. */
export const Id = Type.String({ pattern: '^[A-Za-z0-9_.-]{1,100}$' });

/**
 * For `data.type` where the original does not look at it, and its clients send another one. Everywhere else it is the one that
 * belongs there, or 422 (compatibility.md). Every body says which it is (validation.ts).
 */
export const ANY_TYPE = Type.Optional(Type.Unknown());

/**
 * The type of a resource or of an identifier. Only one is possible, so generated clients (go-tfe v2) leave it out; a wrong one is 422.
 */
export function typed<const T extends string>(type: T) {
  return Type.Optional(Type.Literal(type));
}

/** Points at a resource. Clients may send more of it along. */
export function identifier<const T extends string>(type: T) {
  return Type.Object({ type: typed(type), id: text(100) });
}

/** Points at resources of one type: `data` of a to-many relationship. */
export function identifiers<const T extends string>(type: T, sizes: { minItems?: number; maxItems: number }) {
  return Type.Array(identifier(type), sizes);
}

/**
 * A body with one resource. Members that a schema does not name are ignored, as clients send more than they should.
 * @param type the only `data.type` there is, which may be left out; or a schema: ANY_TYPE, or a literal where the specification
 * requires one
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
