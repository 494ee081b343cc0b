import { createHash, type KeyObject, verify } from 'node:crypto';
import { lengthOf, Reader } from './packets.ts';

/** A signature of version 4 (RFC 9580 §5.2.3). Times are seconds since 1970. */
export interface Signature {
  readonly type: number;
  readonly algorithm: number;
  readonly hash: string;
  /** Bytes that are hashed after the document. */
  readonly trailer: Buffer;
  readonly value: Buffer;
  readonly createdAt: number;
  /** Seconds until the signature expires; undefined for never. */
  readonly expiresAfter: number | undefined;
  /** Seconds from the creation of the key until it expires. */
  readonly keyExpiresAfter: number | undefined;
  /** Key flags: what the key may be used for; undefined for anything. */
  readonly flags: number | undefined;
  /** Key ID of the signer: the last eight bytes of its fingerprint, in hexadecimal. */
  readonly issuer: string | undefined;
  /** Whether the signature has a critical subpacket of an unsupported type. */
  readonly isBeyondUs: boolean;
}

/** Hash algorithms without known collisions. */
const HASHES: Readonly<Record<number, string>> = { 8: 'sha256', 9: 'sha384', 10: 'sha512' };
const CREATED = 2;
const EXPIRES = 3;
const KEY_EXPIRES = 9;
const ISSUER = 16;
const FLAGS = 27;
const ISSUER_FINGERPRINT = 33;
const UNDERSTOOD = [CREATED, EXPIRES, KEY_EXPIRES, ISSUER, FLAGS, ISSUER_FINGERPRINT];

/** Signature type of a binary document. */
export const OF_DOCUMENT = 0;

/** Parses a signature packet. @returns undefined for an unsupported version or hash @throws Error for invalid data */
export function signatureOf(body: Buffer): Signature | undefined {
  const reader = new Reader(body);
  const [version, type, algorithm, hashId] = [reader.number(1), reader.number(1), reader.number(1), reader.number(1)];
  const hash = HASHES[hashId];
  if (version !== 4 || hash === undefined) return undefined;
  const hashed = subpacketsOf(reader.take(reader.number(2)));
  const signed = body.subarray(0, reader.taken);
  const unhashed = subpacketsOf(reader.take(reader.number(2)));
  reader.take(2);
  const end = Buffer.from([4, 0xff, 0, 0, 0, 0]);
  end.writeUInt32BE(signed.length, 2);
  const seconds = (kind: number) => hashed.get(kind)?.content.readUInt32BE(0);
  const key = (hashed.get(ISSUER) ?? unhashed.get(ISSUER))?.content ?? hashed.get(ISSUER_FINGERPRINT)?.content;
  return {
    ...{ type, algorithm, hash, trailer: Buffer.concat([signed, end]), value: reader.rest() },
    createdAt: seconds(CREATED) ?? 0,
    expiresAfter: seconds(EXPIRES),
    keyExpiresAfter: seconds(KEY_EXPIRES),
    flags: hashed.get(FLAGS)?.content[0],
    issuer: key?.subarray(-8).toString('hex'),
    isBeyondUs: [...hashed].some(([kind, { isCritical }]) => isCritical && !UNDERSTOOD.includes(kind)),
  };
}

interface Subpacket {
  readonly isCritical: boolean;
  readonly content: Buffer;
}

function subpacketsOf(area: Buffer): Map<number, Subpacket> {
  const found = new Map<number, Subpacket>();
  const reader = new Reader(area);
  while (!reader.isAtEnd) {
    const body = reader.take(lengthOf(reader, 255));
    const kind = body[0] ?? 0;
    found.set(kind & 0x7f, { isCritical: (kind & 0x80) !== 0, content: body.subarray(1) });
  }
  return found;
}

/** Public-key algorithms (RFC 9580 §9.1). */
export const ALGORITHMS = { rsa: [1, 3], ed25519Legacy: 22, ed25519: 27 } as const;

/** Verifies the signature of a document with a key. */
export function isMadeBy(signature: Signature, key: KeyObject, content: Buffer): boolean {
  const { algorithm, hash, trailer } = signature;
  const value = new Reader(signature.value);
  const signed = Buffer.concat([content, trailer]);
  if (key.asymmetricKeyType === 'rsa' && algorithm === ALGORITHMS.rsa[0]) {
    const size = Math.ceil((key.asymmetricKeyDetails?.modulusLength ?? 0) / 8);
    return verify(hash, signed, key, padded(value.integer(), size));
  }
  if (key.asymmetricKeyType !== 'ed25519') return false;
  const digest = createHash(hash).update(signed).digest();
  if (algorithm === ALGORITHMS.ed25519) return verify(null, digest, key, value.rest());
  if (algorithm !== ALGORITHMS.ed25519Legacy) return false;
  return verify(null, digest, key, Buffer.concat([padded(value.integer(), 32), padded(value.integer(), 32)]));
}

function padded(number: Buffer, size: number): Buffer {
  return Buffer.concat([Buffer.alloc(Math.max(0, size - number.length)), number]);
}
