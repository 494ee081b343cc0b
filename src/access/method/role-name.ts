import { AppError } from '../../lib/errors.ts';

const NAME = /^\w(?:[\w.-]{0,254}\w)?$/;

/**
 * Role names are case-insensitive: always the lower-cased name is stored and compared.
 * @throws AppError not-found, as for any path that does not exist
 */
export function roleName(name: string): string {
  if (!NAME.test(name)) throw new AppError('not-found', '1 error occurred:\n\t* unsupported path\n\n');
  return name.toLowerCase();
}
