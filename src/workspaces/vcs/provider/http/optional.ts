import Type, { type TSchema } from 'typebox';

/** Schema of a member that a provider may leave out, or send as null. */
export const optional = <T extends TSchema>(schema: T) => Type.Optional(Type.Union([Type.Null(), schema]));

/** Text that a provider may leave out. */
export const optionalText = optional(Type.String());
