import Type from 'typebox';
import { optional } from '../setting.ts';

/** A setting whose value is the path of a file, folder or program. */
export const path = (allowed: string, description: string) =>
  optional(Type.String({ minLength: 1, maxLength: 4096 }), allowed, description);
