/** Keys and signatures for test certificates: the algorithm for each kind of key, and its identifier in DER. */
import { constants, generateKeyPairSync, type KeyObject, sign as signBytes } from 'node:crypto';
import * as der from './der.ts';

export type KeyType = 'P-256' | 'P-384' | 'P-521' | 'secp256k1' | 'Ed25519' | 'Ed448' | `RSA-${number}`;
export type Hash = 'md5' | 'sha1' | 'sha256' | 'sha384' | 'sha512';

export interface SigningOptions {
  readonly hash?: Hash;
  readonly pss?: boolean;
}

const HASHES: Readonly<Record<Hash, { oid: string; length: number; rsa: string; ecdsa: string }>> = {
  md5: { oid: '1.2.840.113549.2.5', length: 16, rsa: '1.2.840.113549.1.1.4', ecdsa: '' },
  sha1: { oid: '1.3.14.3.2.26', length: 20, rsa: '1.2.840.113549.1.1.5', ecdsa: '1.2.840.10045.4.1' },
  sha256: { oid: '2.16.840.1.101.3.4.2.1', length: 32, rsa: '1.2.840.113549.1.1.11', ecdsa: '1.2.840.10045.4.3.2' },
  sha384: { oid: '2.16.840.1.101.3.4.2.2', length: 48, rsa: '1.2.840.113549.1.1.12', ecdsa: '1.2.840.10045.4.3.3' },
  sha512: { oid: '2.16.840.1.101.3.4.2.3', length: 64, rsa: '1.2.840.113549.1.1.13', ecdsa: '1.2.840.10045.4.3.4' },
};
const EDWARDS: Readonly<Record<string, string>> = { ed25519: '1.3.101.112', ed448: '1.3.101.113' };
const CURVE_HASHES: Readonly<Record<string, Hash>> = { secp384r1: 'sha384', secp521r1: 'sha512' };
const RSASSA_PSS = '1.2.840.113549.1.1.10';
const MGF1 = '1.2.840.113549.1.1.8';

/** Generates a private key. RSA takes about 0.1 s for 2048 bits. */
export function generateKey(type: KeyType = 'P-256'): KeyObject {
  if (type === 'Ed25519') return generateKeyPairSync('ed25519').privateKey;
  if (type === 'Ed448') return generateKeyPairSync('ed448').privateKey;
  if (type.startsWith('RSA-')) return generateKeyPairSync('rsa', { modulusLength: Number(type.slice(4)) }).privateKey;
  return generateKeyPairSync('ec', { namedCurve: type }).privateKey;
}

function hashFor(key: KeyObject, options: SigningOptions): Hash {
  return options.hash ?? CURVE_HASHES[key.asymmetricKeyDetails?.namedCurve ?? ''] ?? 'sha256';
}

/** Returns the AlgorithmIdentifier of the signatures that `sign` makes with the same arguments. */
export function signatureAlgorithm(key: KeyObject, options: SigningOptions): Buffer {
  const edwards = EDWARDS[key.asymmetricKeyType ?? ''];
  if (edwards !== undefined) return der.sequence(der.oid(edwards));
  const hash = HASHES[hashFor(key, options)];
  if (key.asymmetricKeyType === 'ec') return der.sequence(der.oid(hash.ecdsa));
  return options.pss ? pssAlgorithm(hash) : der.sequence(der.oid(hash.rsa), der.nullValue());
}

function pssAlgorithm(hash: { oid: string; length: number }): Buffer {
  const digest = der.sequence(der.oid(hash.oid), der.nullValue());
  const parameters = der.sequence(
    der.constructed(0, digest),
    der.constructed(1, der.sequence(der.oid(MGF1), digest)),
    der.constructed(2, der.integer(hash.length)),
  );
  return der.sequence(der.oid(RSASSA_PSS), parameters);
}

/** Returns the bytes of the signature. */
export function sign(data: Uint8Array, key: KeyObject, options: SigningOptions): Buffer {
  if (EDWARDS[key.asymmetricKeyType ?? ''] !== undefined) return signBytes(null, data, key);
  const hash = hashFor(key, options);
  if (!options.pss) return signBytes(hash, data, key);
  const padding = constants.RSA_PKCS1_PSS_PADDING;
  return signBytes(hash, data, { key, padding, saltLength: constants.RSA_PSS_SALTLEN_DIGEST });
}
