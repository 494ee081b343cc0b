import { AppError } from '../../../lib/errors.ts';
import { isTokenStore } from './alias-mounts.ts';

/**
 * Maximum length in bytes, so that the name fits into an index.
 * @limit the name of an alias, bytes -> the login is refused; 400
 */
export const MAX_ALIAS_BYTES = 2_048;

/**
 * Normalizes an alias name for storage, lookup and comparison. Surrounding white space is removed (RFC 5280 §7.1);
 * case is preserved. Upstream, two spellings of one name became two entities (CVE-2025-6004).
 * @returns undefined for an invalid name: empty, too long, or with control characters
 */
export function aliasNameOf(text: string): string | undefined {
  const name = text.normalize('NFC').trim();
  if (name === '' || Buffer.byteLength(name) > MAX_ALIAS_BYTES || /\p{Cc}/u.test(name)) return undefined;
  return name;
}

/** Normalizes an alias name at a mount. The token store ignores case. */
export function aliasNameAt(mountId: string, text: string): string | undefined {
  return aliasNameOf(isTokenStore(mountId) ? text.toLowerCase() : text);
}

/**
 * Normalizes the alias name of a request.
 * @throws AppError bad-request
 */
export function usableAliasName(mountId: string, text: string): string {
  const name = aliasNameAt(mountId, text);
  if (name?.isWellFormed()) return name;
  throw new AppError(
    'bad-request',
    `the name of an alias must have 1 to ${MAX_ALIAS_BYTES} bytes of UTF-8, without control characters`,
  );
}
