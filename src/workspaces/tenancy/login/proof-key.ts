import { createHash, timingSafeEqual } from 'node:crypto';

/** Format of a code verifier (RFC 7636 §4.1). */
const VERIFIER = /^[\w.~-]{43,128}$/;

/**
 * Returns whether the challenge is the SHA-256 of the verifier, in base64url (RFC 7636 §4.6). Compares in constant
 * time.
 */
export function provesChallenge(verifier: string, challenge: string): boolean {
  if (!VERIFIER.test(verifier)) return false;
  const made = createHash('sha256').update(verifier).digest();
  const wanted = Buffer.from(challenge, 'base64url');
  return made.length === wanted.length && timingSafeEqual(made, wanted);
}
