import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { KeyringError } from './keyring.ts';
import { createKeyringOf } from './sealing.ts';

const key = (byte: number) => new Uint8Array(32).fill(byte);
const keyring = createKeyringOf({ encryption: new Map([[1, key(1)]]), hash: key(9) });
const text = (bytes: Uint8Array) => Buffer.from(bytes).toString('latin1');

describe('sealing', () => {
  it('decrypts its own values with the same context', () => {
    fc.assert(
      fc.property(fc.uint8Array(), fc.string(), (plaintext, context) => {
        const opened = keyring.decrypt(keyring.encrypt(plaintext, context), context);
        expect(opened).toStrictEqual(new Uint8Array(plaintext));
      }),
    );
  });

  it('refuses every changed byte and every truncation', () => {
    const sealed = keyring.encrypt(Buffer.from('secret'), 'a');
    for (let i = 0; i < sealed.length; i++) {
      const changed = Uint8Array.from(sealed);
      changed[i] = (changed[i] ?? 0) ^ 1;
      expect(() => keyring.decrypt(changed, 'a')).toThrow(KeyringError);
      expect(() => keyring.decrypt(sealed.subarray(0, i), 'a')).toThrow(KeyringError);
    }
  });

  it('refuses another context', () => {
    const sealed = keyring.encrypt(Buffer.from('secret'), 'ssh-key/1');
    expect(() => keyring.decrypt(sealed, 'ssh-key/2')).toThrow('belongs to something else');
  });

  it('never encrypts the same text to the same bytes', () => {
    const sealed = new Set(Array.from({ length: 100 }, () => text(keyring.encrypt(Buffer.from('secret'), 'a'))));
    expect(sealed.size).toBe(100);
  });

  it('encrypts with the newest key and decrypts with each', () => {
    const rotated = createKeyringOf({
      encryption: new Map([
        [2, key(2)],
        [1, key(1)],
      ]),
      hash: key(9),
    });
    const old = keyring.encrypt(Buffer.from('old'), 'a');
    const fresh = rotated.encrypt(Buffer.from('new'), 'a');
    expect(text(rotated.decrypt(old, 'a'))).toBe('old');
    expect(() => keyring.decrypt(fresh, 'a')).toThrow('the keyring has no encryption key 2');
    expect(rotated.fingerprint).toBe(keyring.fingerprint);
  });
});

describe('hashing', () => {
  const hash = keyring.hash('token', 'login');

  it('returns 32 bytes that depend on the secret, the purpose and the key', () => {
    const other = createKeyringOf({ encryption: new Map([[1, key(1)]]), hash: key(8) });
    const all = [hash, keyring.hash('tokem', 'login'), keyring.hash('token', 'other'), other.hash('token', 'login')];
    expect(all.every(({ length }) => length === 32)).toBe(true);
    expect(new Set(all.map(text)).size).toBe(4);
    expect(keyring.hash('token', 'login')).toStrictEqual(hash);
  });

  it('recognizes the secret, and no other text', () => {
    expect(keyring.matches('token', 'login', hash)).toBe(true);
    expect(keyring.matches('tokem', 'login', hash)).toBe(false);
    expect(keyring.matches('token', 'other', hash)).toBe(false);
    expect(keyring.matches('token', 'login', hash.subarray(1))).toBe(false);
    expect(keyring.matches('token', 'login', new Uint8Array())).toBe(false);
  });

  it('identifies keyrings by a fingerprint that is none of their hashes', () => {
    const other = createKeyringOf({ encryption: new Map([[1, key(1)]]), hash: key(8) });
    expect(other.fingerprint).not.toBe(keyring.fingerprint);
    expect(keyring.fingerprint).toMatch(/^[0-9a-f]{32}$/);
  });
});
