import { Buffer } from 'node:buffer';
import { type Keyring, KeyringError } from '../../storage/index.ts';

/**
 * Browsers limit a cookie to 4,096 bytes for its name, value and attributes.
 * @limit encrypted text in a cookie, characters -> 422; a sign-in at an identity provider starts again
 */
const MAX_TEXT = 3_800;

/**
 * Encrypts a value for a cookie. Returns undefined if the result is too long.
 * @param context encryption context of the keyring
 */
export function sealed(keyring: Keyring, context: string, value: object): string | undefined {
  const text = Buffer.from(keyring.encrypt(Buffer.from(JSON.stringify(value)), context)).toString('base64url');
  return text.length > MAX_TEXT ? undefined : text;
}

/**
 * Decrypts a text of `sealed`. Returns undefined for a text that this server did not encrypt in this context, and for an
 * expired value.
 * @param now milliseconds since 1970, as `endsAt`
 */
export function opened<T extends { readonly endsAt: number }>(
  keyring: Keyring,
  context: string,
  text: string,
  now: number,
): T | undefined {
  if (text.length > MAX_TEXT) return undefined;
  try {
    const value: T = JSON.parse(Buffer.from(keyring.decrypt(Buffer.from(text, 'base64url'), context)).toString());
    return value.endsAt > now ? value : undefined;
  } catch (error) {
    if (error instanceof KeyringError) return undefined;
    throw error;
  }
}
