import { createPublicKey, type JsonWebKey, type KeyObject } from 'node:crypto';
import { fits, isUsable } from './algorithms.ts';

/** @limit keys of an issuer, keys -> none of them is taken; 400 where somebody writes them */
export const MAX_KEYS = 100;

export interface VerificationKey {
  /** Null where it has none: for tokens that name any, or none. */
  readonly id: string | null;
  /** The one that it is for; null: any that it fits. */
  readonly algorithm: string | null;
  readonly key: KeyObject;
}

/** The keys that may have signed a token: that of its id, and of the kind that its algorithm wants. */
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

/** Of a public key or a certificate in PEM; undefined for anything else. */
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
 * The keys of a set (RFC 7517 §5) that verify signatures; others are passed over.
 * @returns undefined for what is no set, or has too many
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
