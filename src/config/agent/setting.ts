import Type, { type TSchema } from 'typebox';

/** A setting: its schema, its allowed values in words, and its purpose. */
export const setting = <T extends TSchema>(schema: T, allowed: string, description: string): T => ({
  ...schema,
  allowed,
  description,
});

/** An optional setting. */
export const optional = <T extends TSchema>(schema: T, allowed: string, description: string) =>
  Type.Optional(setting(schema, allowed, description));

/** A setting whose value is the path of a file, folder or program. */
export const path = (allowed: string, description: string) =>
  optional(Type.String({ minLength: 1, maxLength: 4096 }), allowed, description);
