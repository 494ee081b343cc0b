import { createHash, createHmac, timingSafeEqual } from 'node:crypto';

/**
 * Returns whether both texts are equal, in a time that depends on neither. Hashes have one length, so that their
 * comparison does not reveal the length of the secret.
 */
export function sameSecret(presented: string | undefined, expected: string): boolean {
  return timingSafeEqual(sha256(presented ?? ''), sha256(expected)) && presented !== undefined && expected !== '';
}

/**
 * Returns whether a text is the HMAC-SHA256 of a body, in constant time.
 * @param presented hexadecimal digits behind `prefix`, from a header
 */
export function hasHmac(
  { body, secret }: { readonly body: Uint8Array; readonly secret: string },
  presented: string | undefined,
  prefix = '',
): boolean {
  const expected = createHmac('sha256', secret).update(body).digest('hex');
  return sameSecret(presented?.toLowerCase(), prefix + expected) && secret !== '';
}

function sha256(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
