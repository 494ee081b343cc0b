import { randomBytes } from 'node:crypto';
import { AppError } from '../../../lib/errors.ts';

/** @limit the name of an entity or a group, characters -> 400 */
const MAX_NAME = 256;

/** Normalizes a name for comparison. Case is preserved. */
export function plainName(text: string): string {
  return text.normalize('NFC').trim();
}

/**
 * Normalizes a name for storage and lookup. It may contain slashes, but must stay unchanged as a path.
 * @throws AppError bad-request
 */
export function storedName(text: string): string {
  const name = plainName(text);
  const isPath = name.split('/').every((part) => part !== '' && part !== '.' && part !== '..');
  if (isPath && name.length <= MAX_NAME && name.isWellFormed() && !/\p{Cc}/u.test(name)) return name;
  throw new AppError(
    'bad-request',
    `'name' must have 1 to ${MAX_NAME} characters, without control characters and empty parts between slashes`,
  );
}

/** Returns a random name. */
export function generatedName(kind: 'entity' | 'group'): string {
  return `${kind}_${randomBytes(8).toString('hex')}`;
}
