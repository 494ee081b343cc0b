import Type, { type TProperties, type TSchema } from 'typebox';

/** A setting: its schema, and its allowed values in words for errors and the reference page. */
export function setting<T extends TSchema>(schema: T, allowed: string, description: string): T {
  return { ...schema, allowed, description };
}

export function optional<T extends TSchema>(schema: T, allowed: string, description: string) {
  return Type.Optional(setting(schema, allowed, description));
}

/**
 * A setting that may be left out. The schema has its `default`, which validation fills in: in the type of the validated
 * settings it is always present.
 */
export function defaulted<T extends TSchema>(schema: T, allowed: string, description: string): T {
  return optional(schema, allowed, description) as TSchema as T;
}

/** A mapping that may be left out. Its settings then have their defaults. */
export function section<T extends TProperties>(properties: T) {
  const schema = Type.Object(properties, { additionalProperties: false, default: {} });
  return Type.Optional(schema) as TSchema as typeof schema;
}

export const duration = (initial: string, description: string) =>
  defaulted(Type.String({ default: initial, maxLength: 20 }), 'a duration such as 90s, 30m or 768h', description);

/** A secret setting. Errors never repeat its value. */
export function secret<T extends TSchema>(schema: T, allowed: string, description: string) {
  return Type.Optional(setting({ ...schema, secret: true }, allowed, description));
}

export const path = (description: string) =>
  setting(Type.String({ minLength: 1, maxLength: 4096 }), 'a path', description);

/** A path that may be left out. @param allowed what it leads to */
export const optionalPath = (allowed: string, description: string) =>
  optional(Type.String({ minLength: 1, maxLength: 4096 }), allowed, description);

/** Validated settings without defaults: those that the operator has set. */
export type Given<T> = T extends readonly (infer Item)[]
  ? readonly Given<Item>[]
  : T extends object
    ? { readonly [Key in keyof T]?: Given<T[Key]> }
    : T;
