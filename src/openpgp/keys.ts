import { createHash, createPublicKey, type KeyObject } from 'node:crypto';
import { type Packet, packetsOf, Reader, unarmored } from './packets.ts';
import { ALGORITHMS, type Signature, signatureOf } from './signature.ts';

/** A public key that may sign documents. */
export interface SigningKey {
  /** Fingerprint of the key, in hexadecimal. */
  readonly fingerprint: string;
  readonly key: KeyObject;
  readonly createdAt: number;
  /** Expiry in seconds since 1970; undefined if the key does not expire. */
  readonly expiresAt: number | undefined;
}

const TAGS = { signature: 2, primary: 6, subkey: 14 } as const;
/** Signature types about keys (RFC 9580 §5.2.1): certifications, subkey binding, revocations. */
const CERTIFICATIONS = [0x10, 0x11, 0x12, 0x13, 0x1f];
const BINDING = 0x18;
const REVOCATIONS = [0x20, 0x28];
const MAY_SIGN = 0x02;

/** @limit keys in one text, subkeys included, keys -> the keys are refused */
const MOST_KEYS = 50;

/** A key packet and the signatures about it. */
interface Described {
  readonly packet: Packet;
  readonly isPrimary: boolean;
  readonly fingerprint: string;
  readonly signatures: Signature[];
}

/**
 * Returns the keys of a text that may sign. The keys come from the operator, so the signatures about them are not
 * verified.
 * @throws Error if the text has no such key, or too many
 */
export function signingKeysOf(text: string): SigningKey[] {
  const keys = described(packetsOf(unarmored(Buffer.from(text)))).flatMap(groupKeys);
  if (keys.length === 0) throw new Error('the text contains no OpenPGP key that can sign with RSA or Ed25519');
  if (keys.length > MOST_KEYS) throw new Error(`the text contains more than ${MOST_KEYS} OpenPGP keys`);
  return keys;
}

/** Groups the packets: each primary key, followed by its subkeys. */
function described(packets: readonly Packet[]): Described[][] {
  const groups: Described[][] = [];
  for (const packet of packets) {
    const group = groups.at(-1);
    if (packet.tag === TAGS.primary) groups.push([describe(packet)]);
    else if (packet.tag === TAGS.subkey) group?.push(describe(packet));
    else if (packet.tag === TAGS.signature) {
      const signature = signatureOf(packet.body);
      // Certifications by third parties do not say what the key may do.
      if (signature?.issuer === undefined || !group?.[0]?.fingerprint.endsWith(signature.issuer)) continue;
      group.at(-1)?.signatures.push(signature);
    }
  }
  return groups;
}

function describe(packet: Packet): Described {
  const head = Buffer.from([0x99, packet.body.length >> 8, packet.body.length & 0xff]);
  const fingerprint = createHash('sha1').update(head).update(packet.body).digest('hex');
  return { packet, isPrimary: packet.tag === TAGS.primary, fingerprint, signatures: [] };
}

function groupKeys([primary, ...subkeys]: readonly Described[]): SigningKey[] {
  if (primary === undefined || isRevoked(primary)) return [];
  const end = signingKey(primary)?.expiresAt;
  return [primary, ...subkeys].flatMap((one) => {
    const key = isRevoked(one) || !maySign(one) ? undefined : signingKey(one);
    return key === undefined ? [] : [{ ...key, expiresAt: earlier(key.expiresAt, end) }];
  });
}

const isRevoked = ({ signatures }: Described): boolean => signatures.some(({ type }) => REVOCATIONS.includes(type));

const earlier = (one: number | undefined, other: number | undefined): number | undefined =>
  one === undefined || other === undefined ? (one ?? other) : Math.min(one, other);

/** Returns the newest self-signature about the key. */
function saidOf({ isPrimary, signatures }: Described): Signature | undefined {
  const about = signatures.filter(({ type }) => (isPrimary ? CERTIFICATIONS.includes(type) : type === BINDING));
  return about.toSorted((one, other) => other.createdAt - one.createdAt)[0];
}

function maySign(key: Described): boolean {
  const said = saidOf(key);
  if (said === undefined) return false;
  return ((said.flags ?? (key.isPrimary ? MAY_SIGN : 0)) & MAY_SIGN) !== 0;
}

/** Converts a key packet. Returns undefined for an unsupported version or algorithm. */
function signingKey(described: Described): SigningKey | undefined {
  const reader = new Reader(described.packet.body);
  if (reader.number(1) !== 4) return undefined;
  const createdAt = reader.number(4);
  const key = keyOf(reader.number(1), reader);
  if (key === undefined) return undefined;
  const after = saidOf(described)?.keyExpiresAfter || undefined;
  const expiresAt = after === undefined ? undefined : createdAt + after;
  return { fingerprint: described.fingerprint, key, createdAt, expiresAt };
}

const ED25519_CURVE = '2b06010401da470f01';

function keyOf(algorithm: number, reader: Reader): KeyObject | undefined {
  if ((ALGORITHMS.rsa as readonly number[]).includes(algorithm)) {
    const [n, e] = [reader.integer(), reader.integer()];
    return createPublicKey({ key: { kty: 'RSA', n: base64(n), e: base64(e) }, format: 'jwk' });
  }
  if (algorithm === ALGORITHMS.ed25519) return ed25519(reader.take(32));
  if (algorithm !== ALGORITHMS.ed25519Legacy) return undefined;
  const curve = reader.take(reader.number(1)).toString('hex');
  return curve === ED25519_CURVE ? ed25519(reader.integer().subarray(1)) : undefined;
}

const ed25519 = (point: Buffer): KeyObject =>
  createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x: base64(point) }, format: 'jwk' });

const base64 = (bytes: Buffer): string => bytes.toString('base64url');
