import { AppError } from '../../lib/errors.ts';

const NAME = /^\w(?:[\w.-]{0,254}\w)?$/;

/**
 * Returns the lower-cased name, which is stored and compared: role names are case-insensitive.
 * @throws AppError not-found for an invalid name, as for any unknown path
 */
export function roleName(name: string): string {
  if (!NAME.test(name)) throw new AppError('not-found', '1 error occurred:\n\t* unsupported path\n\n');
  return name.toLowerCase();
}
