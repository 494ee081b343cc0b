import { AppError } from '../../../lib/errors.ts';

/** Metadata values by name. */
export type Metadata = Readonly<Record<string, string>>;

/** @limit metadata of an entity, a group or an alias, entries -> 400 */
const MAX_KEYS = 64;
/** @limit the name of a metadata entry, characters -> 400 */
const MAX_KEY = 128;
/** @limit the value of a metadata entry, characters -> 400 */
const MAX_VALUE = 512;

/** @throws AppError bad-request */
export function checkedMetadata(field: 'metadata' | 'custom_metadata', metadata: Metadata): Metadata {
  const entries = Object.entries(metadata);
  const fits = ([key, value]: [string, string]) =>
    key !== '' && key.length <= MAX_KEY && value.length <= MAX_VALUE && `${key}${value}`.isWellFormed();
  if (entries.length <= MAX_KEYS && entries.every(fits)) return metadata;
  const limits = `${MAX_KEYS} strings of at most ${MAX_VALUE} characters, with names of at most ${MAX_KEY}`;
  throw new AppError('bad-request', `'${field}' must be an object of at most ${limits}`);
}
