import { randomBytes } from 'node:crypto';
import { AppError } from '../../../lib/errors.ts';

/** @limit the name of an entity or a group, characters -> 400 */
const MAX_NAME = 256;

/** A name in the one spelling in which it is compared. Upper and lower case are kept apart. */
export function plainName(text: string): string {
  return text.normalize('NFC').trim();
}

/**
 * The form in which names of entities and groups are stored and looked up. Slashes may be in it; as a path it has to stay
 * what it is.
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

/** For what nobody has named. */
export function generatedName(kind: 'entity' | 'group'): string {
  return `${kind}_${randomBytes(8).toString('hex')}`;
}
