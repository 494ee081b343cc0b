import { hash, randomBytes, timingSafeEqual } from 'node:crypto';
import { randomText } from '../../../lib/ids.ts';
import type { Keyring } from '../../../storage/index.ts';

const PREFIX = 'lku';
const SECRET_LENGTH = 32;
/** Format: `lku.<public id>.<secret>`. */
const OURS = new RegExp(`^${PREFIX}\\.([1-9A-Za-z]{16})\\.[1-9A-Za-z]{${SECRET_LENGTH}}$`);
const HASH_PURPOSE = 'api-token';
const ID_PURPOSE = 'api-token-id';

/** Text that a client presents, with the stored id and keyed hash. The id finds the token, the hash verifies it. */
export interface TokenText {
  readonly text: string;
  readonly id: string;
  readonly hash: Uint8Array;
}

/** Creates a token text: 32 random characters (187 bits) after a public id that sorts by time. */
export function newTokenText(keyring: Keyring, publicId: string): TokenText {
  const text = `${PREFIX}.${publicId}.${randomText(SECRET_LENGTH)}`;
  return { text, id: `at-${publicId}`, hash: keyring.hash(text, HASH_PURPOSE) };
}

/** Converts a token text that an operator chose. */
export function chosenTokenText(keyring: Keyring, text: string): TokenText {
  return { text, id: tokenId(keyring, text), hash: keyring.hash(text, HASH_PURPOSE) };
}

/** Returns the id of a token: its public id, or an id derived from a keyed hash if the text has another format. */
export function tokenId(keyring: Keyring, text: string): string {
  return shownTokenId(text) ?? `at-${Buffer.from(keyring.hash(text, ID_PURPOSE)).toString('hex', 0, 16)}`;
}

/** Returns the public id of a text in this server's format. */
function shownTokenId(text: string): string | undefined {
  const shown = OURS.exec(text)?.[1];
  return shown && `at-${shown}`;
}

/** Verifies the text against the hash, in constant time. */
export function provesToken(keyring: Keyring, text: string, hash: Uint8Array): boolean {
  return keyring.matches(text, HASH_PURPOSE, hash);
}

/** Random key of this process, so that remembered digests are useless elsewhere. */
const PROCESS_KEY = randomBytes(32).toString('base64');

/**
 * Verifies a text against one stored hash repeatedly. A verified text is remembered as a keyed digest, which is much
 * cheaper than the hash of the keyring. Any other text is verified in full.
 */
export class TokenProof {
  readonly #hash: Uint8Array;
  #proved: Buffer | undefined;

  constructor(hash: Uint8Array) {
    this.#hash = hash;
  }

  /** Verifies in constant time. */
  proves(keyring: Keyring, text: string): boolean {
    const digest = hash('sha256', `${PROCESS_KEY}${text}`, 'buffer');
    if (this.#proved !== undefined && timingSafeEqual(this.#proved, digest)) return true;
    if (!provesToken(keyring, text, this.#hash)) return false;
    this.#proved = digest;
    return true;
  }
}
