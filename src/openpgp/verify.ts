import { signingKeysOf } from './keys.ts';
import { packetsOf, unarmored } from './packets.ts';
import { isMadeBy, OF_DOCUMENT, type Signature, signatureOf } from './signature.ts';

const SIGNATURE = 2;
/** @limit OpenPGP signatures in one file, signatures -> the file is refused */
const MOST_SIGNATURES = 10;

/**
 * Verifies a detached OpenPGP signature of a document: version 4, RSA or Ed25519, SHA-2, as GnuPG creates them. One of
 * the keys must have made it while the key was valid.
 * @param keys text with armored public keys, which are trusted
 * @param now seconds since 1970
 * @returns the fingerprint of the key
 * @throws Error with the reason, if no trusted key has signed the document
 */
export function checkSignature(keys: string, document: Buffer, signature: Buffer, now: number): string {
  const trusted = signingKeysOf(keys);
  const signatures = packetsOf(unarmored(signature)).flatMap(({ tag, body }) =>
    tag === SIGNATURE ? (signatureOf(body) ?? []) : [],
  );
  if (signatures.length > MOST_SIGNATURES) throw new Error(`it has more than ${MOST_SIGNATURES} signatures`);
  for (const one of signatures.filter((made) => isUsable(made, now))) {
    const key = trusted.find((candidate) => isMadeBy(one, candidate.key, document));
    if (key === undefined) continue;
    if (one.createdAt < key.createdAt || one.createdAt >= (key.expiresAt ?? Number.POSITIVE_INFINITY)) {
      throw new Error(`the key ${key.fingerprint.toUpperCase()} was not valid at the time of the signature`);
    }
    return key.fingerprint;
  }
  throw new Error('no trusted key has signed it');
}

function isUsable({ type, isBeyondUs, createdAt, expiresAfter }: Signature, now: number): boolean {
  const isOver = Boolean(expiresAfter) && createdAt + (expiresAfter ?? 0) <= now;
  return type === OF_DOCUMENT && !isBeyondUs && !isOver;
}
