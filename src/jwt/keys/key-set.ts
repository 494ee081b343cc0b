import { createPublicKey, type JsonWebKey, type KeyObject } from 'node:crypto';
import { fits, isUsable } from './algorithms.ts';

/** @limit keys of an issuer, keys -> fetched keys are rejected; configured keys get 400 */
export const MAX_KEYS = 100;

export interface VerificationKey {
  /** Null if the key has no id: it then matches every token. */
  readonly id: string | null;
  /** The only algorithm of the key. Null: every algorithm that the key's type supports. */
  readonly algorithm: string | null;
  readonly key: KeyObject;
}

/** Returns the keys that may have signed a token: with its key id, and of a type that its algorithm supports. */
export function candidates(
  keys: readonly VerificationKey[],
  algorithm: string,
  id: string | undefined,
): readonly VerificationKey[] {
  return keys.filter(
    (one) =>
      (id === undefined || one.id === null || one.id === id) &&
      (one.algorithm === null || one.algorithm === algorithm) &&
      fits(one.key, algorithm),
  );
}

const PEM = /-----BEGIN (?:RSA )?(PUBLIC KEY|CERTIFICATE)-----/;

/** Parses a public key or a certificate in PEM. Returns undefined for anything else. */
export function keyFromPem(pem: string): VerificationKey | undefined {
  try {
    if (!PEM.test(pem) || pem.includes('PRIVATE')) return undefined;
    const key = createPublicKey(pem);
    return isUsable(key) ? { id: null, algorithm: null, key } : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Returns the keys of a JSON Web Key Set (RFC 7517 §5) that verify signatures, without all others.
 * @returns undefined if the value is not a key set or has too many keys
 */
export function keysFromSet(set: Readonly<Record<string, unknown>>): readonly VerificationKey[] | undefined {
  const { keys } = set;
  if (!Array.isArray(keys) || keys.length > MAX_KEYS) return undefined;
  return keys.map(keyFromJwk).filter((key) => key !== undefined);
}

function keyFromJwk(jwk: unknown): VerificationKey | undefined {
  if (typeof jwk !== 'object' || jwk === null) return undefined;
  const { kty, kid, alg, use, key_ops: operations, d } = jwk as Record<string, unknown>;
  if (kty === 'oct' || d !== undefined) return undefined;
  if (use !== undefined && use !== 'sig') return undefined;
  if (operations !== undefined && !(Array.isArray(operations) && operations.includes('verify'))) return undefined;
  try {
    const key = createPublicKey({ key: jwk as JsonWebKey, format: 'jwk' });
    const id = typeof kid === 'string' ? kid : null;
    return isUsable(key) ? { id, algorithm: typeof alg === 'string' ? alg : null, key } : undefined;
  } catch {
    return undefined;
  }
}
