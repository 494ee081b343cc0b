const DAY = 86_400_000;

/** How long a key is published before it signs, milliseconds: whoever verifies tokens may look for new keys as rarely as that. */
export const PUBLISHED_BEFORE = 7 * DAY;
/** From when a key signs until the next one does, milliseconds. */
export const SIGNS_FOR = 90 * DAY;
/** How much longer a key is published than any token of its lives, milliseconds: clocks differ. */
const GRACE = DAY;

/** A key that signs tokens. Times are milliseconds since 1970. */
export interface SigningKey {
  /** Its thumbprint (RFC 7638), by which tokens name it. */
  readonly id: string;
  /** 1, 2, 3 … */
  readonly generation: number;
  readonly signsFrom: number;
  /** When the last token that it has signed ends, or later. */
  readonly tokensUntil: number;
}

/** The one that signs: the newest whose time has come. Undefined where there is none at all. */
export function signerOf<Key extends SigningKey>(keys: readonly Key[], now: number): Key | undefined {
  const byAge = keys.toSorted((a, b) => a.generation - b.generation);
  // The first one may have been made by a clock that is ahead of ours.
  return byAge.findLast(({ signsFrom }) => signsFrom <= now) ?? byAge[0];
}

/** The generation that is to be made, and from when it is to sign; undefined as long as none is. */
export function nextOf(
  keys: readonly SigningKey[],
  now: number,
): Pick<SigningKey, 'generation' | 'signsFrom'> | undefined {
  const [newest] = keys.toSorted((a, b) => b.generation - a.generation);
  // Nobody has verified anything yet.
  if (newest === undefined) return { generation: 1, signsFrom: now };
  if (now < newest.signsFrom + SIGNS_FOR - PUBLISHED_BEFORE) return undefined;
  return { generation: newest.generation + 1, signsFrom: now + PUBLISHED_BEFORE };
}

/** Whether tokens may be verified by it: it will sign, it does, or tokens live that it has signed. */
export function isPublished(key: SigningKey, keys: readonly SigningKey[], now: number): boolean {
  const signer = signerOf(keys, now);
  return signer === undefined || key.generation >= signer.generation || now <= key.tokensUntil + GRACE;
}
