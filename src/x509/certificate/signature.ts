import type { Buffer } from 'node:buffer';
import { constants, verify } from 'node:crypto';
import { dottedFromOid, type Oid, oidFromDotted } from '../asn1/oid.ts';
import { constructedTag, DerReader, Tag } from '../asn1/reader.ts';
import { readBitString, readCount } from '../asn1/values.ts';
import { ParseError } from '../parse-error.ts';
import { type Algorithm, isNull, KeyAlgorithm, readAlgorithm } from './algorithm.ts';
import type { PublicKey } from './public-key.ts';

/** Common part of certificates, CRLs and OCSP responses: content, an algorithm and a signature over the content. */
export interface Signed {
  /** DER of the signed content. */
  readonly content: Buffer;
  readonly algorithm: Algorithm;
  readonly signature: Buffer;
}

/** Verification parameters of one algorithm. */
export interface Scheme {
  readonly name: string;
  /** `KeyObject#asymmetricKeyType` of keys for such signatures. */
  readonly keyTypes: readonly string[];
  /** Hash algorithm. Undefined if the signature algorithm includes its hash. */
  readonly hash: string | undefined;
  /** Length of the salt, for RSASSA-PSS only. */
  readonly saltLength?: number;
}

const rsa = (name: string, hash: string): Scheme => ({ name, hash, keyTypes: ['rsa'] });
const ecdsa = (name: string, hash: string): Scheme => ({ name, hash, keyTypes: ['ec'] });

const RSA_SCHEMES: ReadonlyMap<Oid, Scheme> = new Map([
  [oidFromDotted('1.2.840.113549.1.1.5'), rsa('sha1WithRSAEncryption', 'sha1')],
  [oidFromDotted('1.2.840.113549.1.1.11'), rsa('sha256WithRSAEncryption', 'sha256')],
  [oidFromDotted('1.2.840.113549.1.1.12'), rsa('sha384WithRSAEncryption', 'sha384')],
  [oidFromDotted('1.2.840.113549.1.1.13'), rsa('sha512WithRSAEncryption', 'sha512')],
]);

/** Schemes whose identifiers have no parameters; for ECDSA some software writes a NULL. */
const BARE_SCHEMES: ReadonlyMap<Oid, Scheme> = new Map([
  [oidFromDotted('1.2.840.10045.4.1'), ecdsa('ecdsa-with-SHA1', 'sha1')],
  [oidFromDotted('1.2.840.10045.4.3.2'), ecdsa('ecdsa-with-SHA256', 'sha256')],
  [oidFromDotted('1.2.840.10045.4.3.3'), ecdsa('ecdsa-with-SHA384', 'sha384')],
  [oidFromDotted('1.2.840.10045.4.3.4'), ecdsa('ecdsa-with-SHA512', 'sha512')],
  [KeyAlgorithm.ed25519, { name: 'Ed25519', hash: undefined, keyTypes: ['ed25519'] }],
  [KeyAlgorithm.ed448, { name: 'Ed448', hash: undefined, keyTypes: ['ed448'] }],
]);

/** Names of refused algorithms, for explanations only. */
const REFUSED_NAMES: ReadonlyMap<Oid, string> = new Map([
  [oidFromDotted('1.2.840.113549.1.1.2'), 'md2WithRSAEncryption'],
  [oidFromDotted('1.2.840.113549.1.1.4'), 'md5WithRSAEncryption'],
  [oidFromDotted('1.2.840.10040.4.3'), 'dsa-with-SHA1'],
  [oidFromDotted('2.16.840.1.101.3.4.3.2'), 'dsa-with-SHA256'],
]);

const PSS_HASHES: ReadonlyMap<Oid, { readonly hash: string; readonly length: number }> = new Map([
  [oidFromDotted('2.16.840.1.101.3.4.2.1'), { hash: 'sha256', length: 32 }],
  [oidFromDotted('2.16.840.1.101.3.4.2.2'), { hash: 'sha384', length: 48 }],
  [oidFromDotted('2.16.840.1.101.3.4.2.3'), { hash: 'sha512', length: 64 }],
]);
const MGF1 = oidFromDotted('1.2.840.113549.1.1.8');

/** Accepted algorithms, as the expectation in a verdict. */
export const ACCEPTED_SIGNATURES =
  'RSA (PKCS #1 v1.5 or PSS) or ECDSA with SHA-256, SHA-384 or SHA-512, Ed25519 or Ed448';

export interface SignatureRules {
  /** Whether to accept signatures over SHA-1, which is broken. */
  readonly allowSha1: boolean;
}

/** Reads AlgorithmIdentifier and BIT STRING, the end of every signed structure. */
export function readSignature(reader: DerReader, content: Buffer): Signed {
  const algorithm = readAlgorithm(reader);
  const signature = readBitString(reader);
  reader.finish();
  return { content, algorithm, signature };
}

/** Returns whether the rules accept the algorithm. */
export function isAcceptedAlgorithm(algorithm: Algorithm, rules: SignatureRules): boolean {
  const scheme = schemeOf(algorithm);
  return scheme !== undefined && (rules.allowSha1 || scheme.hash !== 'sha1');
}

/** Returns the name of an algorithm for explanations: `sha1WithRSAEncryption`, or the identifier in dotted form. */
export function algorithmName(algorithm: Algorithm): string {
  const { oid } = algorithm;
  return (
    schemeOf(algorithm)?.name ??
    REFUSED_NAMES.get(oid) ??
    `algorithm ${dottedFromOid(oid)}, which is unknown or has unusual parameters`
  );
}

/**
 * Returns whether `key` made the signature. Callers must check with `isAcceptedAlgorithm` and `PublicKey#fault` whether
 * algorithm and key are accepted.
 */
export function isSignedBy(signed: Signed, key: PublicKey): boolean {
  const scheme = schemeOf(signed.algorithm);
  const keyObject = key.object;
  if (scheme === undefined || keyObject === undefined) return false;
  if (!scheme.keyTypes.includes(keyObject.asymmetricKeyType ?? '')) return false;
  try {
    return verify(scheme.hash, signed.content, verifyInput(scheme, keyObject), signed.signature);
  } catch {
    // A key may forbid this use (RSASSA-PSS keys name their hash).
    return false;
  }
}

/** Returns the key with the parameters of the scheme for `verify`. */
export function verifyInput(scheme: Scheme, key: NonNullable<PublicKey['object']>): Parameters<typeof verify>[2] {
  if (scheme.saltLength === undefined) return key;
  return { key, padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: scheme.saltLength };
}

const isEcdsa = ({ keyTypes }: Scheme): boolean => keyTypes[0] === 'ec';

/** Returns undefined for an unknown algorithm or unusual parameters. */
export function schemeOf(algorithm: Algorithm): Scheme | undefined {
  const { oid, parameters } = algorithm;
  const bare = BARE_SCHEMES.get(oid);
  if (bare !== undefined) return parameters === undefined || (isEcdsa(bare) && isNull(parameters)) ? bare : undefined;
  if (oid === KeyAlgorithm.rsaPss) return pssScheme(parameters);
  // RFC 4055 §5 requires a NULL, and says that implementations should accept its absence.
  return parameters === undefined || isNull(parameters) ? RSA_SCHEMES.get(oid) : undefined;
}

/**
 * Returns the scheme for one of the three common parameter sets (RFC 4055 §3.1): one hash for both purposes, a salt of
 * its length, the only trailer.
 */
function pssScheme(parameters: Buffer | undefined): Scheme | undefined {
  if (parameters === undefined) return undefined;
  try {
    const { hash, maskHash, saltLength } = readPssParameters(parameters);
    const known = PSS_HASHES.get(hash);
    if (known === undefined || maskHash !== hash || saltLength !== known.length) return undefined;
    return { name: `RSASSA-PSS with ${known.hash}`, hash: known.hash, keyTypes: ['rsa', 'rsa-pss'], saltLength };
  } catch (error) {
    if (error instanceof ParseError) return undefined;
    throw error;
  }
}

function readPssParameters(parameters: Buffer): { hash: Oid; maskHash: Oid; saltLength: number } {
  const reader = DerReader.inside(parameters, Tag.sequence);
  const hash = readHash(readOnly(reader.enter(constructedTag(0)), readAlgorithm));
  const mask = readOnly(reader.enter(constructedTag(1)), readAlgorithm);
  const saltLength = readOnly(reader.enter(constructedTag(2)), readCount);
  const trailer = reader.at(constructedTag(3)) ? readOnly(reader.enter(constructedTag(3)), readCount) : 1;
  reader.finish();
  if (mask.oid !== MGF1 || mask.parameters === undefined || trailer !== 1)
    throw new ParseError('unusual PSS parameters');
  return { hash, maskHash: readHash(readOnly(new DerReader(mask.parameters), readAlgorithm)), saltLength };
}

function readHash(algorithm: Algorithm): Oid {
  if (algorithm.parameters !== undefined && !isNull(algorithm.parameters)) throw new ParseError('hash with parameters');
  return algorithm.oid;
}

/** Reads with `read`, and throws if anything is left. */
function readOnly<T>(reader: DerReader, read: (reader: DerReader) => T): T {
  const value = read(reader);
  reader.finish();
  return value;
}
