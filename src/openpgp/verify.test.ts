import { describe, expect, test } from 'vitest';
import { GNUPG, UNUSABLE } from '../../test/support/runner/gnupg.ts';
import { founded, newSigner, stranger } from '../../test/support/runner/signer.ts';
import { checkSignature } from './verify.ts';

const DOCUMENT = Buffer.from('what is signed\n');
const NOW = 1_800_000_000;
const { ed25519, forADay, revoked, rsa } = GNUPG;

const check = (keys: string, signature: string | Buffer, document = DOCUMENT) =>
  checkSignature(keys, document, Buffer.from(signature), NOW);

describe('signatures of GnuPG', () => {
  test.each(Object.entries({ rsa, ed25519, forADay }))('with the key %s are valid', (_, { key, signature }) => {
    expect(check(key, signature)).toMatch(/^[0-9a-f]{40}$/);
    expect(check(ed25519.key + key, signature)).toBe(check(key, signature));
  });

  test.each(Object.entries({ rsa, ed25519 }))(
    'with the key %s are invalid for another document',
    (_, { key, signature }) => {
      expect(() => check(key, signature, Buffer.from('what is signed'))).toThrow('no trusted key has signed it');
    },
  );

  test('may be unarmored', () => {
    const [, base64 = ''] = /\n\n([^=]+)/.exec(ed25519.signature) ?? [];
    expect(check(ed25519.key, Buffer.from(base64, 'base64'))).toMatch(/^[0-9a-f]{40}$/);
  });

  test('are invalid with other keys', () => {
    expect(() => check(rsa.key, ed25519.signature)).toThrow('no trusted key has signed it');
  });

  test.each(Object.entries(UNUSABLE))('are invalid %s', (_, signature) => {
    expect(() => check(ed25519.key, signature)).toThrow('no trusted key has signed it');
  });

  test('are invalid with a revoked key', () => {
    expect(() => check(revoked.key, revoked.signature)).toThrow('contains no OpenPGP key that can sign');
    expect(() => check(revoked.key + rsa.key, revoked.signature)).toThrow('no trusted key');
  });
});

describe('a key with an expiry date', () => {
  const signer = newSigner(1000);
  test.each([
    [founded, true],
    [founded + 999, true],
    [founded + 1000, false],
    [founded - 1, false],
  ])('verifies signatures from its lifetime: at %i', (at, isValid) => {
    const checked = () => check(signer.key, signer.sign(DOCUMENT, at));
    if (isValid) expect(checked()).toMatch(/^[0-9a-f]{40}$/);
    else expect(checked).toThrow('was not valid at the time of the signature');
  });

  test('does not match another key with the same user id', () => {
    expect(() => check(signer.key, stranger().sign(DOCUMENT))).toThrow('no trusted key');
  });
});

test.each([
  ['nothing', ''],
  ['text', 'not found'],
  ['half a packet', Buffer.from([0xc2, 0xff, 0, 0, 1, 0, 4])],
  ['a packet with partial lengths', Buffer.from([0xc2, 0xe1, 0, 0])],
  ['a truncated signature', newSigner().sign(DOCUMENT).subarray(0, 60)],
  ['wrong lengths', Buffer.from([0xc2, 10, 4, 0, 1, 8, 0xff, 0xff, 0, 0, 0, 0])],
])('%s is not a signature', (_, signature) => {
  expect(() => check(ed25519.key, signature)).toThrow();
});

describe('hostile texts', () => {
  test('with many blocks that do not end are read in linear time', () => {
    const label = (n: number) => [...String(n)].map((digit) => 'ABCDEFGHIJ'[Number(digit)]).join('');
    const blocks = Array.from({ length: 100_000 }, (_, n) => `-----BEGIN PGP ${label(n)}-----\n`).join('');
    expect(() => check(ed25519.key, blocks)).toThrow('not OpenPGP data');
    expect(() => check(blocks, ed25519.signature)).toThrow('not OpenPGP data');
  });

  test('with many keys or signatures are refused', () => {
    expect(() => check(ed25519.key.repeat(51), ed25519.signature)).toThrow('more than 50 OpenPGP keys');
    expect(() => check(ed25519.key, rsa.signature.repeat(11))).toThrow('more than 10 signatures');
    expect(check(ed25519.key.repeat(50), ed25519.signature.repeat(10))).toMatch(/^[0-9a-f]{40}$/);
  });
});

test.each(['', 'nothing', ed25519.signature, ed25519.key.slice(0, 200)])('%j has no key', (text) => {
  expect(() => check(text, ed25519.signature)).toThrow();
});
