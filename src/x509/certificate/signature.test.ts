import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import * as der from '../../pki/der.ts';
import { createRoot, generateKey, type Hash, type KeyType } from '../../pki/index.ts';
import { DerReader } from '../asn1/reader.ts';
import { readAlgorithm } from './algorithm.ts';
import { Certificate } from './certificate.ts';
import { algorithmName, isAcceptedAlgorithm, isSignedBy } from './signature.ts';

const keys = new Map<KeyType, KeyObject>();
function key(type: KeyType): KeyObject {
  const made = keys.get(type) ?? generateKey(type);
  keys.set(type, made);
  return made;
}

/** Creates a self-signed certificate: signature and key in one. */
function signed(type: KeyType, options: { hash?: Hash; pss?: boolean } = {}): Certificate {
  return Certificate.parse(createRoot({ key: key(type), ...options }).der);
}

const strict = { allowSha1: false };
const algorithm = (bytes: Buffer) => readAlgorithm(new DerReader(bytes));

describe('a signature', () => {
  test.each<[KeyType, { hash?: Hash; pss?: boolean }, string]>([
    ['P-256', {}, 'ecdsa-with-SHA256'],
    ['P-256', { hash: 'sha512' }, 'ecdsa-with-SHA512'],
    ['P-384', {}, 'ecdsa-with-SHA384'],
    ['P-521', {}, 'ecdsa-with-SHA512'],
    ['RSA-2048', {}, 'sha256WithRSAEncryption'],
    ['RSA-2048', { hash: 'sha384' }, 'sha384WithRSAEncryption'],
    ['RSA-2048', { hash: 'sha512' }, 'sha512WithRSAEncryption'],
    ['RSA-2048', { pss: true }, 'RSASSA-PSS with sha256'],
    ['RSA-2048', { pss: true, hash: 'sha384' }, 'RSASSA-PSS with sha384'],
    ['RSA-2048', { pss: true, hash: 'sha512' }, 'RSASSA-PSS with sha512'],
    ['Ed25519', {}, 'Ed25519'],
    ['Ed448', {}, 'Ed448'],
  ])('of %s %o verifies: %s', (type, options, name) => {
    const certificate = signed(type, options);
    expect(algorithmName(certificate.signed.algorithm)).toBe(name);
    expect(isAcceptedAlgorithm(certificate.signed.algorithm, strict)).toBe(true);
    expect(isSignedBy(certificate.signed, certificate.publicKey)).toBe(true);
  });

  test.each<KeyType>(['P-256', 'RSA-2048', 'Ed25519'])('of %s fails for other content, signature or key', (type) => {
    const { signed: good, publicKey } = signed(type);
    const content = Buffer.from(good.content);
    content[20] = (content[20] ?? 0) ^ 1;
    const signature = Buffer.from(good.signature);
    signature[signature.length - 1] = (signature.at(-1) ?? 0) ^ 1;
    const otherKey = Certificate.parse(createRoot({ key: generateKey(type) }).der).publicKey;
    expect(isSignedBy({ ...good, content }, publicKey)).toBe(false);
    expect(isSignedBy({ ...good, signature }, publicKey)).toBe(false);
    expect(isSignedBy({ ...good, signature: Buffer.alloc(0) }, publicKey)).toBe(false);
    expect(isSignedBy(good, otherKey)).toBe(false);
  });

  test('fails for a key of another kind', () => {
    expect(isSignedBy(signed('P-256').signed, signed('RSA-2048').publicKey)).toBe(false);
    expect(isSignedBy(signed('Ed25519').signed, signed('Ed448').publicKey)).toBe(false);
  });

  test('of one algorithm fails if it claims to be another', () => {
    const ed25519 = der.sequence(der.oid('1.3.101.112'));
    const replace = { innerAlgorithm: ed25519, outerAlgorithm: ed25519 };
    const certificate = Certificate.parse(createRoot({ key: key('P-256'), replace }).der);
    expect(algorithmName(certificate.signed.algorithm)).toBe('Ed25519');
    expect(isSignedBy(certificate.signed, certificate.publicKey)).toBe(false);
  });

  test('of PKCS #1 v1.5 fails for a key that allows only RSASSA-PSS', () => {
    const { privateKey } = generateKeyPairSync('rsa-pss', {
      modulusLength: 2048,
      hashAlgorithm: 'sha256',
      mgf1HashAlgorithm: 'sha256',
    });
    const pss = Certificate.parse(createRoot({ key: privateKey, pss: true }).der);
    expect(pss.publicKey.fault).toBeUndefined();
    expect(isSignedBy(pss.signed, pss.publicKey)).toBe(true);
    expect(isSignedBy(signed('RSA-2048').signed, pss.publicKey)).toBe(false);
    expect(isSignedBy(signed('RSA-2048', { pss: true, hash: 'sha512' }).signed, pss.publicKey)).toBe(false);
  });
});

describe('a signature algorithm', () => {
  test.each<KeyType>(['P-256', 'RSA-2048'])('with SHA-1 over %s is accepted only if that is allowed', (type) => {
    const certificate = signed(type, { hash: 'sha1' });
    expect(isAcceptedAlgorithm(certificate.signed.algorithm, strict)).toBe(false);
    expect(isAcceptedAlgorithm(certificate.signed.algorithm, { allowSha1: true })).toBe(true);
    expect(isSignedBy(certificate.signed, certificate.publicKey)).toBe(true);
  });

  test('with MD5 is never accepted', () => {
    const { algorithm } = signed('RSA-2048', { hash: 'md5' }).signed;
    expect(isAcceptedAlgorithm(algorithm, { allowSha1: true })).toBe(false);
    expect(algorithmName(algorithm)).toBe('md5WithRSAEncryption');
  });

  test('of RSA may leave out its NULL', () => {
    expect(isAcceptedAlgorithm(algorithm(der.sequence(der.oid('1.2.840.113549.1.1.11'))), strict)).toBe(true);
  });

  const sha256 = der.sequence(der.oid('2.16.840.1.101.3.4.2.1'));
  const sha384 = der.sequence(der.oid('2.16.840.1.101.3.4.2.2'));
  const mgf1 = (hash: Buffer) => der.sequence(der.oid('1.2.840.113549.1.1.8'), hash);
  const pss = (...parameters: Buffer[]) => der.sequence(der.oid('1.2.840.113549.1.1.10'), der.sequence(...parameters));
  const usual = [der.constructed(0, sha256), der.constructed(1, mgf1(sha256)), der.constructed(2, der.integer(32))];

  test('of RSASSA-PSS may leave out the NULLs of its hashes', () => {
    expect(isAcceptedAlgorithm(algorithm(pss(...usual)), strict)).toBe(true);
    expect(isAcceptedAlgorithm(algorithm(pss(...usual, der.constructed(3, der.integer(1)))), strict)).toBe(true);
  });

  test.each<[string, Buffer]>([
    ['ECDSA with parameters', der.sequence(der.oid('1.2.840.10045.4.3.2'), der.integer(1))],
    ['Ed25519 with NULL', der.sequence(der.oid('1.3.101.112'), der.nullValue())],
    ['RSA with parameters', der.sequence(der.oid('1.2.840.113549.1.1.11'), der.integer(1))],
    ['PSS without parameters', der.sequence(der.oid('1.2.840.113549.1.1.10'))],
    ['PSS with its defaults, which are SHA-1', pss()],
    [
      'PSS with two hashes',
      pss(der.constructed(0, sha256), der.constructed(1, mgf1(sha384)), der.constructed(2, der.integer(32))),
    ],
    [
      'PSS with another salt',
      pss(der.constructed(0, sha256), der.constructed(1, mgf1(sha256)), der.constructed(2, der.integer(20))),
    ],
    ['PSS with another trailer', pss(...usual, der.constructed(3, der.integer(2)))],
    [
      'PSS with another mask',
      pss(
        der.constructed(0, sha256),
        der.constructed(1, der.sequence(der.oid('1.2.3'), sha256)),
        der.constructed(2, der.integer(32)),
      ),
    ],
    ['an unknown algorithm', der.sequence(der.oid('1.2.3.4'))],
  ])('is refused: %s', (_, bytes) => {
    expect(isAcceptedAlgorithm(algorithm(bytes), { allowSha1: true })).toBe(false);
    expect(algorithmName(algorithm(bytes))).toMatch(/^algorithm [\d.]+, which is unknown or has unusual parameters/);
  });
});
