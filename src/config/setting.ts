import Type, { type TSchema } from 'typebox';

/** A setting: its schema, and its allowed values in words for errors and the reference page. */
export function setting<T extends TSchema>(schema: T, allowed: string, description: string): T {
  return { ...schema, allowed, description };
}

export function optional<T extends TSchema>(schema: T, allowed: string, description: string) {
  return Type.Optional(setting(schema, allowed, description));
}

export const duration = (initial: string, description: string) =>
  optional(Type.String({ default: initial, maxLength: 20 }), 'a duration such as 90s, 30m or 768h', description);

/** A secret setting. Errors never repeat its value. */
export function secret<T extends TSchema>(schema: T, allowed: string, description: string) {
  return Type.Optional(setting({ ...schema, secret: true }, allowed, description));
}

export const path = (description: string) =>
  setting(Type.String({ minLength: 1, maxLength: 4096 }), 'a path', description);
