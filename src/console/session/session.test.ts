import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createKeyring, type Keyring } from '../../storage/index.ts';
import { openCeremony, sealCeremony } from './ceremony.ts';
import { DROP_COOKIE, keepCookie, sessionCookie } from './cookie.ts';
import { openSession, sealSession } from './session.ts';

const session = { endsAt: 1000, held: { access: { token: 'lks.one.two', made: true } } };

describe('encrypted sessions', () => {
  let folder: string;
  let keyring: Keyring;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'lockkeeper-'));
    keyring = await createKeyring({ file: join(folder, 'keyring') });
  });
  afterAll(() => rm(folder, { recursive: true }));

  test('decrypt to the same session until they expire', () => {
    const text = sealSession(keyring, session) ?? '';
    expect(text).toMatch(/^[\w-]+$/);
    expect(openSession(keyring, text, 999)).toEqual(session);
    expect(openSession(keyring, text, 1000)).toBeUndefined();
  });

  test('do not show the token', () => {
    const text = sealSession(keyring, session) ?? '';
    expect(Buffer.from(text, 'base64url').toString('latin1')).not.toContain('lks');
  });

  test.each(['', 'x', 'A'.repeat(200), 'A'.repeat(5000), '%%%'])('refuses other texts: %j', (text) => {
    expect(openSession(keyring, text, 0)).toBeUndefined();
  });

  test('refuses a text that was encrypted for another purpose', () => {
    const sealed = keyring.encrypt(Buffer.from(JSON.stringify(session)), 'ssh-key/sshkey-1');
    expect(openSession(keyring, Buffer.from(sealed).toString('base64url'), 0)).toBeUndefined();
  });

  test('refuses a session that is too long for a cookie', () => {
    const held = { access: { token: 'x'.repeat(4000), made: false } };
    expect(sealSession(keyring, { endsAt: 1, held })).toBeUndefined();
  });

  test('refuses a question for a passkey that is too long for a cookie', () => {
    const ceremony = { purpose: 'account', challenge: 'c', bound: '', endsAt: 1000 } as const;
    const text = sealCeremony(keyring, { ...ceremony, details: { username: 'ada' } });
    expect(openCeremony(keyring, text, 999)).toEqual({ ...ceremony, details: { username: 'ada' } });
    expect(sealCeremony(keyring, { ...ceremony, details: { username: 'x'.repeat(4000) } })).toBeUndefined();
  });
});

describe('the cookie', () => {
  test('is for this host only, and not readable by scripts', () => {
    for (const header of [keepCookie('text', 60), DROP_COOKIE]) {
      expect(header).toMatch(/^__Host-lockkeeper=\w*; Path=\/; Secure; HttpOnly; SameSite=Strict; Max-Age=\d+$/);
    }
  });

  test.each([
    [undefined, undefined],
    ['other=1', undefined],
    ['other=1; __Host-lockkeeper=abc', 'abc'],
    ['__Host-lockkeeper=abc;other=__Host-lockkeeper=x', 'abc'],
    ['__Host-lockkeeper=abc; __Host-lockkeeper=def', undefined],
    ['X__Host-lockkeeper=abc', undefined],
  ])('%j says %j', (header, value) => {
    expect(sessionCookie(header)).toBe(value);
  });
});
