import { randomBytes } from 'node:crypto';

/**
 * Base 58, without 0, O, I and l, so that people can read an id aloud. The characters are in ASCII order, so ids sort
 * like their numbers.
 */
const ALPHABET = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';
const BASE = ALPHABET.length;
/**
 * The largest multiple of 58 in a byte. Larger bytes are discarded; otherwise some characters would be more likely than
 * others.
 */
const UNBIASED = 256 - (256 % BASE);
const TIME_LENGTH = 8;

let pool = randomBytes(4096);
let used = 0;

function randomByte(): number {
  if (used === pool.length) {
    pool = randomBytes(4096);
    used = 0;
  }
  const byte = pool[used] as number;
  pool[used++] = 0;
  return byte;
}

/** Returns `length` characters of base 58 from the system's random source: 5.86 bits each. */
export function randomText(length: number): string {
  let text = '';
  while (text.length < length) {
    const byte = randomByte();
    if (byte < UNBIASED) text += ALPHABET[byte % BASE];
  }
  return text;
}

function timeText(milliseconds: number): string {
  let text = '';
  let rest = milliseconds;
  for (let i = 0; i < TIME_LENGTH; i++) {
    text = ALPHABET[rest % BASE] + text;
    rest = Math.floor(rest / BASE);
  }
  return text;
}

/**
 * Returns a public identifier that sorts by its time of creation: 8 characters of time and `randomLength` random ones.
 * New rows go to the end of an index, which keeps inserts cheap. The identifier is partly guessable and must never be
 * used as a secret.
 */
export function timeOrderedId(now: number = Date.now(), randomLength = 8): string {
  return timeText(now) + randomText(randomLength);
}

/** Returns a resource identifier of the workspace API, such as `ws-5Jx…` (spec §2.1). */
export function prefixedId(prefix: string, now?: number): string {
  return `${prefix}-${timeOrderedId(now)}`;
}
