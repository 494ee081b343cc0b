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
  const shown = OURS.exec(text)?.[1];
  if (shown !== undefined) return `at-${shown}`;
  return `at-${Buffer.from(keyring.hash(text, ID_PURPOSE)).toString('hex', 0, 16)}`;
}

/** In constant time. */
export function provesToken(keyring: Keyring, text: string, hash: Uint8Array): boolean {
  return keyring.matches(text, HASH_PURPOSE, hash);
}
