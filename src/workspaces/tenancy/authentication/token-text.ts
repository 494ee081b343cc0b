import { hash, randomBytes, timingSafeEqual } from 'node:crypto';
import { randomText } from '../../../lib/ids.ts';
import type { Keyring } from '../../../storage/index.ts';

const PREFIX = 'lku';
const SECRET_LENGTH = 32;
/** `lku.<public id>.<secret>` */
const OURS = new RegExp(`^${PREFIX}\\.([1-9A-Za-z]{16})\\.[1-9A-Za-z]{${SECRET_LENGTH}}$`);
const HASH_PURPOSE = 'api-token';
const ID_PURPOSE = 'api-token-id';

/** What a client presents, and what is kept of it: the id it is found by and the keyed hash it is proved by. */
export interface TokenText {
  readonly text: string;
  readonly id: string;
  readonly hash: Uint8Array;
}

/** A new token text: 32 characters of chance (187 bits) behind a public id that sorts by time. */
export function newTokenText(keyring: Keyring, publicId: string): TokenText {
  const text = `${PREFIX}.${publicId}.${randomText(SECRET_LENGTH)}`;
  return { text, id: `at-${publicId}`, hash: keyring.hash(text, HASH_PURPOSE) };
}

/** A token text that an operator chose. */
export function chosenTokenText(keyring: Keyring, text: string): TokenText {
  return { text, id: tokenId(keyring, text), hash: keyring.hash(text, HASH_PURPOSE) };
}

/** The id a token is found by: the one it shows, or, when its text has another form, one derived from a keyed hash. */
export function tokenId(keyring: Keyring, text: string): string {
  return shownTokenId(text) ?? `at-${Buffer.from(keyring.hash(text, ID_PURPOSE)).toString('hex', 0, 16)}`;
}

/** The id that a text of our form shows to everybody. */
function shownTokenId(text: string): string | undefined {
  const shown = OURS.exec(text)?.[1];
  return shown && `at-${shown}`;
}

/** In constant time. */
export function provesToken(keyring: Keyring, text: string, hash: Uint8Array): boolean {
  return keyring.matches(text, HASH_PURPOSE, hash);
}

/** Of this process alone, so that what it remembers of a text is of no use elsewhere. */
const PROCESS_KEY = randomBytes(32).toString('base64');

/**
 * Proves the same text to one stored hash again and again. What has been proved once is remembered as a keyed digest, which
 * costs a fraction of the hash of the keyring; any other text is proved in full.
 */
export class TokenProof {
  readonly #hash: Uint8Array;
  #proved: Buffer | undefined;

  constructor(hash: Uint8Array) {
    this.#hash = hash;
  }

  /** In constant time. */
  proves(keyring: Keyring, text: string): boolean {
    const digest = hash('sha256', `${PROCESS_KEY}${text}`, 'buffer');
    if (this.#proved !== undefined && timingSafeEqual(this.#proved, digest)) return true;
    if (!provesToken(keyring, text, this.#hash)) return false;
    this.#proved = digest;
    return true;
  }
}
