import { createPublicKey, type KeyObject } from 'node:crypto';

/** Source: OpenSSH's PROTOCOL.key. */
const MAGIC = Buffer.from('openssh-key-v1\0');
const ED25519 = 'ssh-ed25519';
/** Number of fields of a private key between its kind and its comment. */
const FIELDS: Readonly<Record<string, number>> = {
  [ED25519]: 2,
  'ssh-rsa': 6,
  'ecdsa-sha2-nistp256': 3,
  'ecdsa-sha2-nistp384': 3,
  'ecdsa-sha2-nistp521': 3,
};
/** Block size of a key that is not encrypted, bytes. */
const BLOCK_SIZE = 8;

/** Reads fields in order. */
class Reader {
  readonly #bytes: Buffer;
  #at = 0;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  /** @throws RangeError beyond the end, like the other methods */
  number(): number {
    const number = this.#bytes.readUInt32BE(this.#at);
    this.#at += 4;
    return number;
  }

  field(): Buffer {
    return this.take(this.number());
  }

  take(length: number): Buffer {
    if (this.#at + length > this.#bytes.length) throw new RangeError('The key is truncated');
    this.#at += length;
    return this.#bytes.subarray(this.#at - length, this.#at);
  }

  rest(): Buffer {
    return this.#bytes.subarray(this.#at);
  }
}

/**
 * Checks a key in OpenSSH's format.
 * @returns undefined if `ssh` can use the key without user interaction, else `passphrase`, `damaged`, or the reason in
 * words
 */
export function openSshProblem(bytes: Buffer): string | undefined {
  try {
    return problemOf(new Reader(bytes));
  } catch {
    return 'damaged';
  }
}

function problemOf(outer: Reader): string | undefined {
  if (!outer.take(MAGIC.length).equals(MAGIC)) return 'damaged';
  const cipher = outer.field().toString('latin1');
  outer.field();
  outer.field();
  if (outer.number() !== 1) return 'damaged';
  const shown = new Reader(outer.field());
  const kind = shown.field().toString('latin1');
  if (kind.startsWith('sk-')) return 'needs a security key, which no run has: create a key without one';
  if (!/^[a-z\d@.-]{1,50}$/.test(kind)) return 'damaged';
  if (FIELDS[kind] === undefined) return `is a key of the kind ${kind}, which SSH does not use: create an ed25519 key`;
  if (cipher !== 'none') return 'passphrase';
  return isWhole(new Reader(outer.field()), kind) && outer.rest().length === 0 ? undefined : 'damaged';
}

function isWhole(secret: Reader, kind: string): boolean {
  const check = secret.number();
  if (secret.number() !== check || secret.field().toString('latin1') !== kind) return false;
  const lengths = Array.from({ length: FIELDS[kind] ?? 0 }, () => secret.field().length);
  if (kind === ED25519 && lengths.join() !== '32,64') return false;
  secret.field();
  const padding = secret.rest();
  return padding.length < 2 * BLOCK_SIZE && padding.every((byte, n) => byte === n + 1);
}

/** Writes an ed25519 private key in OpenSSH's format. */
export function openSshText(key: KeyObject): string {
  const { d = '' } = key.export({ format: 'jwk' });
  const { x = '' } = createPublicKey(key).export({ format: 'jwk' });
  const shown = Buffer.from(x, 'base64url');
  const seed = Buffer.from(d, 'base64url');
  // Two equal numbers prove a correct decryption. They have no meaning for an unencrypted key.
  const secret = Buffer.concat([
    ...[Buffer.alloc(8), field(ED25519), field(shown), field(Buffer.concat([seed, shown])), field('')],
  ]);
  const padding = Buffer.from(Array.from({ length: -secret.length & (BLOCK_SIZE - 1) }, (_, n) => n + 1));
  const all = [
    ...[MAGIC, field('none'), field('none'), field(''), Buffer.from([0, 0, 0, 1])],
    ...[field(Buffer.concat([field(ED25519), field(shown)])), field(Buffer.concat([secret, padding]))],
  ];
  const lines =
    Buffer.concat(all)
      .toString('base64')
      .match(/.{1,70}/g) ?? [];
  return `-----BEGIN OPENSSH PRIVATE KEY-----\n${lines.join('\n')}\n-----END OPENSSH PRIVATE KEY-----\n`;
}

function field(content: string | Buffer): Buffer {
  const bytes = Buffer.from(content);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(bytes.length);
  return Buffer.concat([length, bytes]);
}
