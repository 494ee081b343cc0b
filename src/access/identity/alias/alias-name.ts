import { AppError } from '../../../lib/errors.ts';
import { isTokenStore } from './alias-mounts.ts';

/**
 * Bytes: with it the name still fits into an index.
 * @limit the name of an alias, bytes -> the login is refused; 400
 */
export const MAX_ALIAS_BYTES = 2_048;

/**
 * The one form in which names of aliases are stored, looked up and compared. Space around a name means nothing (RFC 5280
 * §7.1); upper and lower case are kept apart. Two spellings of one name were two entities elsewhere (CVE-2025-6004).
 * @returns undefined for what cannot be a name: an empty one, one too long, one with control characters
 */
export function aliasNameOf(text: string): string | undefined {
  const name = text.normalize('NFC').trim();
  if (name === '' || Buffer.byteLength(name) > MAX_ALIAS_BYTES || /\p{Cc}/u.test(name)) return undefined;
  return name;
}

/** The same at one mount: the token store knows one alias in upper and lower case. */
export function aliasNameAt(mountId: string, text: string): string | undefined {
  return aliasNameOf(isTokenStore(mountId) ? text.toLowerCase() : text);
}

/** @throws AppError bad-request */
export function usableAliasName(mountId: string, text: string): string {
  const name = aliasNameAt(mountId, text);
  if (name?.isWellFormed()) return name;
  throw new AppError(
    'bad-request',
    `the name of an alias has 1 to ${MAX_ALIAS_BYTES} bytes of UTF-8, without control characters`,
  );
}
