import type { KeyObject } from 'node:crypto';

/** The key that an algorithm requires. */
interface KeyKind {
  readonly type: 'rsa' | 'ec' | 'ed25519';
  readonly curve?: string;
}

const RSA: KeyKind = { type: 'rsa' };

/** Accepted signature algorithms. Shared-secret algorithms and `none` are left out on purpose. */
const KINDS: Readonly<Record<string, KeyKind>> = {
  RS256: RSA,
  RS384: RSA,
  RS512: RSA,
  PS256: RSA,
  PS384: RSA,
  PS512: RSA,
  ES256: { type: 'ec', curve: 'prime256v1' },
  ES384: { type: 'ec', curve: 'secp384r1' },
  ES512: { type: 'ec', curve: 'secp521r1' },
  EdDSA: { type: 'ed25519' },
};

export const ALGORITHMS: readonly string[] = Object.keys(KINDS);

/** Smallest accepted RSA key (RFC 7518 §3.3). */
const MIN_RSA_BITS = 2048;

export function fits(key: KeyObject, algorithm: string): boolean {
  const kind = Object.hasOwn(KINDS, algorithm) ? KINDS[algorithm] : undefined;
  return key.asymmetricKeyType === kind?.type && key.asymmetricKeyDetails?.namedCurve === kind?.curve;
}

/** Returns whether the key can verify at least one accepted algorithm. */
export function isUsable(key: KeyObject): boolean {
  if (key.type !== 'public' || !ALGORITHMS.some((algorithm) => fits(key, algorithm))) return false;
  return key.asymmetricKeyType !== 'rsa' || (key.asymmetricKeyDetails?.modulusLength ?? 0) >= MIN_RSA_BITS;
}
