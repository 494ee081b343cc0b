import type { Buffer } from 'node:buffer';
import { createHash, createPublicKey, type KeyObject } from 'node:crypto';
import { dottedFromOid } from '../asn1/oid.ts';
import { DerReader, Tag } from '../asn1/reader.ts';
import { readBitString, readCount, readInteger } from '../asn1/values.ts';
import { ParseError } from '../parse-error.ts';
import { type Algorithm, isNull, KeyAlgorithm, readAlgorithm } from './algorithm.ts';

const MIN_RSA_BITS = 2048;
/**
 * The cost of verification grows fourfold with each doubling of the length.
 * @limit size of an RSA key (minimum 2,048), bits -> nothing that it signed is valid
 */
const MAX_RSA_BITS = 8192;

/** Accepted keys, as the expectation in a verdict. */
export const ACCEPTED_KEYS = `RSA of ${MIN_RSA_BITS} to ${MAX_RSA_BITS} bits, ECDSA on P-256, P-384 or P-521, Ed25519 or Ed448`;

/** Parameters of EC keys: the DER of a named curve. Explicit curve parameters are refused. */
const CURVES: ReadonlySet<string> = new Set(['06082a8648ce3d030107', '06052b81040022', '06052b81040023']);

/** A SubjectPublicKeyInfo (RFC 5280 §4.1.2.7). */
export class PublicKey {
  /** DER of the whole structure. */
  readonly der: Buffer;
  readonly algorithm: Algorithm;
  /** The key in the format of its algorithm: the content of the BIT STRING. */
  readonly bytes: Buffer;
  #fingerprint: string | undefined;
  #fault: string | null | undefined;
  #object: KeyObject | null | undefined;

  private constructor(der: Buffer, algorithm: Algorithm, bytes: Buffer) {
    this.der = der;
    this.algorithm = algorithm;
    this.bytes = bytes;
  }

  /** SHA-256 of the whole structure, in hex, which identifies a key across certificates. */
  get fingerprint(): string {
    this.#fingerprint ??= createHash('sha256').update(this.der).digest('hex');
    return this.#fingerprint;
  }

  static read(reader: DerReader): PublicKey {
    reader.expect(Tag.sequence);
    const der = reader.element;
    const inner = reader.inner();
    const algorithm = readAlgorithm(inner);
    const bytes = readBitString(inner);
    inner.finish();
    return new PublicKey(der, algorithm, bytes);
  }

  /** Fault of this kind of key, in words; undefined if it is accepted. The check looks only at the bytes. */
  get fault(): string | undefined {
    if (this.#fault === undefined) this.#fault = faultOf(this) ?? null;
    return this.#fault ?? undefined;
  }

  /** The key for `node:crypto`, decoded on first use (about 0.1 ms); undefined if OpenSSL refuses it. */
  get object(): KeyObject | undefined {
    if (this.#object === undefined) this.#object = decode(this.der);
    return this.#object ?? undefined;
  }
}

function decode(der: Buffer): KeyObject | null {
  try {
    return createPublicKey({ key: der, format: 'der', type: 'spki' });
  } catch {
    return null;
  }
}

function faultOf({ algorithm, bytes }: PublicKey): string | undefined {
  switch (algorithm.oid) {
    case KeyAlgorithm.rsa:
      return isNull(algorithm.parameters) ? rsaFault(bytes) : 'RSA key whose parameters are not NULL';
    case KeyAlgorithm.rsaPss:
      return rsaFault(bytes);
    case KeyAlgorithm.ec:
      return CURVES.has(algorithm.parameters?.toString('hex') ?? '') ? undefined : 'EC key on another curve';
    case KeyAlgorithm.ed25519:
    case KeyAlgorithm.ed448:
      return algorithm.parameters === undefined ? undefined : 'Edwards key with parameters';
    default:
      return `key of algorithm ${dottedFromOid(algorithm.oid)}`;
  }
}

function rsaFault(bytes: Buffer): string | undefined {
  try {
    const { modulus, exponent } = readRsaKey(bytes);
    const bits = bitLength(modulus);
    if (bits < MIN_RSA_BITS || bits > MAX_RSA_BITS) return `RSA key of ${bits} bits`;
    if (isEven(modulus[modulus.length - 1])) return 'RSA key with an even modulus';
    if (exponent < 3 || isEven(exponent)) return 'RSA key with an unusable exponent';
    if (exponent === Number.MAX_SAFE_INTEGER) return 'RSA key with an exponent of more than 32 bits';
    return undefined;
  } catch (error) {
    if (error instanceof ParseError) return `malformed RSA key (${error.message})`;
    throw error;
  }
}

function readRsaKey(bytes: Buffer): { modulus: Buffer; exponent: number } {
  const reader = DerReader.inside(bytes, Tag.sequence);
  const modulus = readInteger(reader);
  const exponent = readCount(reader);
  reader.finish();
  return { modulus, exponent };
}

/** Returns the bit length of a two's complement number; 0 if it is negative. */
function bitLength(bytes: Buffer): number {
  const [first = 0, second = 0] = bytes;
  if (first >= 0x80) return 0;
  const [top, length] = first === 0 ? [second, bytes.length - 1] : [first, bytes.length];
  return length * 8 - (Math.clz32(top) - 24);
}

function isEven(number: number | undefined): boolean {
  return ((number ?? 0) & 1) === 0;
}
