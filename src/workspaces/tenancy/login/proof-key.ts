import { createHash, timingSafeEqual } from 'node:crypto';

/** RFC 7636 §4.1 */
const VERIFIER = /^[\w.~-]{43,128}$/;

/** Whether the verifier is the secret behind a challenge: its SHA-256, in base64url (RFC 7636 §4.6). In constant time. */
export function provesChallenge(verifier: string, challenge: string): boolean {
  if (!VERIFIER.test(verifier)) return false;
  const made = createHash('sha256').update(verifier).digest();
  const wanted = Buffer.from(challenge, 'base64url');
  return made.length === wanted.length && timingSafeEqual(made, wanted);
}
