import { createPublicKey } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import * as der from '../../pki/der.ts';
import { generateKey, type KeyType } from '../../pki/index.ts';
import { DerReader } from '../asn1/reader.ts';
import { PublicKey } from './public-key.ts';

const RSA = der.sequence(der.oid('1.2.840.113549.1.1.1'), der.nullValue());
const EC = '1.2.840.10045.2.1';

const read = (bytes: Buffer): PublicKey => PublicKey.read(new DerReader(bytes));
const keyInfo = (algorithm: Buffer, key: Buffer) => read(der.sequence(algorithm, der.bitString(key)));
const generated = (type: KeyType) => read(createPublicKey(generateKey(type)).export({ format: 'der', type: 'spki' }));
/** A modulus of this many bits, for a key that cannot be used. */
const rsa = (bits: number, exponent: bigint | number = 65_537, lowBits = 1n) =>
  keyInfo(RSA, der.sequence(der.integer(2n ** BigInt(bits - 1) + lowBits), der.integer(exponent)));

describe('a public key', () => {
  test.each<KeyType>(['P-256', 'P-384', 'P-521', 'Ed25519', 'Ed448', 'RSA-2048'])('of type %s is accepted', (type) => {
    const key = generated(type);
    expect(key.fault).toBeUndefined();
    expect(key.object?.type).toBe('public');
    expect(key.object).toBe(key.object);
  });

  test.each([2048, 3072, 4096, 4097, 8192])('of RSA with %i bits is accepted', (bits) => {
    expect(rsa(bits).fault).toBeUndefined();
  });

  test.each<[string, PublicKey]>([
    ['RSA key of 1024 bits', rsa(1024)],
    ['RSA key of 2047 bits', rsa(2047)],
    ['RSA key of 8193 bits', rsa(8193)],
    ['RSA key of 16384 bits', rsa(16_384)],
    ['RSA key with an even modulus', rsa(2048, 65_537, 2n)],
    ['RSA key with an unusable exponent', rsa(2048, 1)],
    ['RSA key with an unusable exponent', rsa(2048, 65_536)],
    ['RSA key with an exponent of more than 32 bits', rsa(2048, 2n ** 40n + 1n)],
    ['RSA key of 0 bits', keyInfo(RSA, der.sequence(der.integer(-(2n ** 2048n)), der.integer(3)))],
    ['RSA key whose parameters are not NULL', keyInfo(der.sequence(der.oid('1.2.840.113549.1.1.1')), der.sequence())],
    ['EC key on another curve', generated('secp256k1')],
    ['EC key on another curve', keyInfo(der.sequence(der.oid(EC)), Buffer.alloc(65))],
    ['EC key on another curve', keyInfo(der.sequence(der.oid(EC), der.sequence(der.integer(1))), Buffer.alloc(65))],
    ['Edwards key with parameters', keyInfo(der.sequence(der.oid('1.3.101.112'), der.nullValue()), Buffer.alloc(32))],
    ['key of algorithm 1.2.840.10040.4.1', keyInfo(der.sequence(der.oid('1.2.840.10040.4.1')), Buffer.alloc(9))],
  ])('is refused: %s', (fault, key) => {
    expect(key.fault).toBe(fault);
  });

  test('with malformed RSA numbers is refused', () => {
    expect(keyInfo(RSA, Buffer.from('no DER')).fault).toMatch(/^malformed RSA key/);
    expect(keyInfo(RSA, der.sequence(der.integer(5))).fault).toMatch(/^malformed RSA key/);
  });

  test('that is not a point of its curve cannot be used', () => {
    const key = keyInfo(der.sequence(der.oid(EC), der.oid('1.2.840.10045.3.1.7')), Buffer.alloc(65, 4));
    expect(key.fault).toBeUndefined();
    expect(key.object).toBeUndefined();
  });
});
