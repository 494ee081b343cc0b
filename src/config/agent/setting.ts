import Type, { type TSchema } from 'typebox';

/** A setting: what it may be, and what it is for. */
export const setting = <T extends TSchema>(schema: T, allowed: string, description: string): T => ({
  ...schema,
  allowed,
  description,
});

/** One that may be left away. */
export const optional = <T extends TSchema>(schema: T, allowed: string, description: string) =>
  Type.Optional(setting(schema, allowed, description));

/** The name of a file, a folder or a program. */
export const path = (allowed: string, description: string) =>
  optional(Type.String({ minLength: 1, maxLength: 4096 }), allowed, description);
