const DAY = 86_400_000;

/** Publication period before a key signs, milliseconds. Verifiers may refresh their keys as rarely as this. */
export const PUBLISHED_BEFORE = 7 * DAY;
/** Signing period of a key, milliseconds. */
export const SIGNS_FOR = 90 * DAY;
/** Extra publication after the last token has expired, for clock skew, milliseconds. */
const GRACE = DAY;

/** A signing key. Times are milliseconds since 1970. */
export interface SigningKey {
  /** Key ID: its thumbprint (RFC 7638). */
  readonly id: string;
  /** Generation: 1, 2, 3 … */
  readonly generation: number;
  readonly signsFrom: number;
  /** Time until which the key stays published. It is not earlier than the expiry of the last signed token. */
  readonly tokensUntil: number;
}

/** Returns the active key: the newest whose signing period has started. Returns undefined without keys. */
export function signerOf<Key extends SigningKey>(keys: readonly Key[], now: number): Key | undefined {
  const byAge = keys.toSorted((a, b) => a.generation - b.generation);
  // The first key may come from another node whose clock is ahead of this one.
  return byAge.findLast(({ signsFrom }) => signsFrom <= now) ?? byAge[0];
}

/** Returns the next generation and its start, if it is due. Otherwise undefined. */
export function nextOf(
  keys: readonly SigningKey[],
  now: number,
): Pick<SigningKey, 'generation' | 'signsFrom'> | undefined {
  const [newest] = keys.toSorted((a, b) => b.generation - a.generation);
  // There is no key yet, so no verifier has cached one.
  if (newest === undefined) return { generation: 1, signsFrom: now };
  if (now < newest.signsFrom + SIGNS_FOR - PUBLISHED_BEFORE) return undefined;
  return { generation: newest.generation + 1, signsFrom: now + PUBLISHED_BEFORE };
}

/** Returns whether a key is published: it will sign, signs, or its tokens are still valid. */
export function isPublished(key: SigningKey, keys: readonly SigningKey[], now: number): boolean {
  const signer = signerOf(keys, now);
  return signer === undefined || key.generation >= signer.generation || now <= key.tokensUntil + GRACE;
}
