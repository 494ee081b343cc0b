import { describe, expect, test } from 'vitest';
import { GNUPG, UNUSABLE } from '../../../../test/support/runner/gnupg.ts';
import { founded, newSigner, stranger } from '../../../../test/support/runner/signer.ts';
import { VENDOR_KEYS } from '../download/vendor-keys.ts';
import { signingKeysOf } from './keys.ts';
import { checkSignature } from './verify.ts';

const DOCUMENT = Buffer.from('what is signed\n');
const NOW = 1_800_000_000;
const { ed25519, forADay, revoked, rsa } = GNUPG;

const check = (keys: string, signature: string | Buffer, document = DOCUMENT) =>
  checkSignature(keys, document, Buffer.from(signature), NOW);

describe('signatures of GnuPG', () => {
  test.each(Object.entries({ rsa, ed25519, forADay }))('with the key %s count', (_, { key, signature }) => {
    expect(check(key, signature)).toMatch(/^[0-9a-f]{40}$/);
    expect(check(ed25519.key + key, signature)).toBe(check(key, signature));
  });

  test.each(Object.entries({ rsa, ed25519 }))('with the key %s count for nothing else', (_, { key, signature }) => {
    expect(() => check(key, signature, Buffer.from('what is signed'))).toThrow('none of the known keys has signed it');
  });

  test('count as bytes, without armor', () => {
    const [, base64 = ''] = /\n\n([^=]+)/.exec(ed25519.signature) ?? [];
    expect(check(ed25519.key, Buffer.from(base64, 'base64'))).toMatch(/^[0-9a-f]{40}$/);
  });

  test('do not count with other keys', () => {
    expect(() => check(rsa.key, ed25519.signature)).toThrow('none of the known keys has signed it');
  });

  test.each(Object.entries(UNUSABLE))('do not count %s', (_, signature) => {
    expect(() => check(ed25519.key, signature)).toThrow('none of the known keys has signed it');
  });

  test('do not count with a key that was taken back', () => {
    expect(() => check(revoked.key, revoked.signature)).toThrow('no OpenPGP key in it may sign');
    expect(() => check(revoked.key + rsa.key, revoked.signature)).toThrow('none of the known keys');
  });
});

describe('a key that is valid for a time', () => {
  const signer = newSigner(1000);
  test.each([
    [founded, true],
    [founded + 999, true],
    [founded + 1000, false],
    [founded - 1, false],
  ])('counts for what it signed then: at %i', (at, isValid) => {
    const checked = () => check(signer.key, signer.sign(DOCUMENT, at));
    if (isValid) expect(checked()).toMatch(/^[0-9a-f]{40}$/);
    else expect(checked).toThrow('was not valid when it signed');
  });

  test('does not count for another that says the same', () => {
    expect(() => check(signer.key, stranger().sign(DOCUMENT))).toThrow('none of the known keys');
  });
});

test.each([
  ['nothing', ''],
  ['text', 'not found'],
  ['half a packet', Buffer.from([0xc2, 0xff, 0, 0, 1, 0, 4])],
  ['a packet in parts', Buffer.from([0xc2, 0xe1, 0, 0])],
  ['a signature without end', newSigner().sign(DOCUMENT).subarray(0, 60)],
  ['lengths that lie', Buffer.from([0xc2, 10, 4, 0, 1, 8, 0xff, 0xff, 0, 0, 0, 0])],
])('%s is no signature', (_, signature) => {
  expect(() => check(ed25519.key, signature)).toThrow();
});

test.each(['', 'nothing', ed25519.signature, ed25519.key.slice(0, 200)])('%j has no key', (text) => {
  expect(() => check(text, ed25519.signature)).toThrow();
});

test('the keys of the vendors are theirs, and may sign', () => {
  const of = (kind: 'opentofu' | 'terraform') =>
    signingKeysOf(VENDOR_KEYS[kind]).map(({ fingerprint }) => fingerprint.toUpperCase());
  expect(of('opentofu')).toEqual(['E3E6E43D84CB852EADB0051D0C0AF313E5FD9F80']);
  expect(of('terraform')).toEqual([
    'C874011F0AB405110D02105534365D9472D7468F',
    'B36CBA91A2C0730C435FC280B0B441097685B676',
    '374EC75B485913604A831CC7C820C6D5CD27AB87',
  ]);
});
