import { randomBytes } from 'node:crypto';

/** No 0, O, I or l: an id survives being read aloud. In ASCII order, so that ids sort as their numbers do. */
const ALPHABET = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';
const BASE = ALPHABET.length;
/** The largest multiple of 58 in a byte: above it a byte is thrown away, or some characters would be likelier than others. */
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

/** `length` characters of base 58 from the system's random source: 5.86 bits each. */
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
 * A public identifier that sorts by the time it was made: 8 characters of time and `randomLength` of chance. New rows land
 * at the end of an index, which is what keeps inserts cheap. Guessable in part: an identifier, never a secret.
 */
export function timeOrderedId(now: number = Date.now(), randomLength = 8): string {
  return timeText(now) + randomText(randomLength);
}

/** `ws-5Jx…`: a resource identifier of the workspace API (spec §2.1). */
export function prefixedId(prefix: string, now?: number): string {
  return `${prefix}-${timeOrderedId(now)}`;
}
