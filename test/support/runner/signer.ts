import { createHash, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';

/** Seconds since 1970. */
const FOUNDED = 1_700_000_000;
const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });

/** An OpenPGP key that signs for tests, and the files that a vendor publishes of it. */
export interface Signer {
  /** Armored. */
  readonly key: string;
  /** @param at seconds since 1970 */
  sign(document: Buffer, at?: number): Buffer;
}

/** @param validFor seconds; 0 means without expiry. @param pair another key pair than the common one */
export function newSigner(
  validFor = 0,
  pair: { publicKey: KeyObject; privateKey: KeyObject } = { publicKey, privateKey },
): Signer {
  const { n = '', e = '' } = pair.publicKey.export({ format: 'jwk' });
  const body = Buffer.concat([bytes(4, 1), bytes(FOUNDED, 4), bytes(1, 1), mpi(n), mpi(e)]);
  const asSigned = Buffer.concat([bytes(0x99, 1), bytes(body.length, 2), body]);
  const hash = (content: Buffer) => sign('sha256', content, pair.privateKey);
  const said = [subpacket(27, bytes(0x03, 1)), ...(validFor === 0 ? [] : [subpacket(9, bytes(validFor, 4))])];
  const aboutKey = signature(0x1f, FOUNDED, said, asSigned, hash, body);
  return {
    key: armored(Buffer.concat([packet(6, body), aboutKey])),
    sign: (document, at = FOUNDED + 1) => signature(0, at, [], document, hash, body),
  };
}

/** An unknown key. */
export const stranger = (): Signer => newSigner(0, generateKeyPairSync('rsa', { modulusLength: 2048 }));

/** Time at which the keys were created. */
export const founded = FOUNDED;

function signature(
  type: number,
  at: number,
  said: readonly Buffer[],
  content: Buffer,
  make: (content: Buffer) => Buffer,
  keyBody: Buffer,
): Buffer {
  const issuer = subpacket(33, Buffer.concat([bytes(4, 1), fingerprint(keyBody)]));
  const hashed = Buffer.concat([subpacket(2, bytes(at, 4)), ...said, issuer]);
  const head = Buffer.concat([bytes(4, 1), bytes(type, 1), bytes(1, 1), bytes(8, 1), bytes(hashed.length, 2), hashed]);
  const value = make(Buffer.concat([content, head, bytes(0x04ff, 2), bytes(head.length, 4)]));
  return packet(2, Buffer.concat([head, bytes(0, 2), bytes(0, 2), mpi(value.toString('base64url'))]));
}

function fingerprint(body: Buffer): Buffer {
  return createHash('sha1')
    .update(Buffer.concat([bytes(0x99, 1), bytes(body.length, 2), body]))
    .digest();
}

const packet = (tag: number, body: Buffer): Buffer =>
  Buffer.concat([bytes(0xc0 | tag, 1), bytes(0xff, 1), bytes(body.length, 4), body]);

const subpacket = (type: number, content: Buffer): Buffer =>
  Buffer.concat([bytes(content.length + 1, 1), bytes(type, 1), content]);

/** RFC 9580 §3.2: without leading zeros, which one of 256 signatures has. */
function mpi(base64url: string): Buffer {
  const all = Buffer.from(base64url, 'base64url');
  const number = all.subarray(all.findIndex((byte) => byte !== 0));
  const bits = number.length * 8 - Math.clz32(number[0] ?? 0) + 24;
  return Buffer.concat([bytes(bits, 2), number]);
}

function bytes(number: number, width: number): Buffer {
  const buffer = Buffer.alloc(width);
  buffer.writeUIntBE(number, 0, width);
  return buffer;
}

const armored = (content: Buffer): string =>
  [
    '-----BEGIN PGP PUBLIC KEY BLOCK-----',
    '',
    ...(content.toString('base64').match(/.{1,64}/g) ?? []),
    '-----END PGP PUBLIC KEY BLOCK-----',
    '',
  ].join('\n');
