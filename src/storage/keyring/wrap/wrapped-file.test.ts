import { randomBytes } from 'node:crypto';
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { StorageError } from '../../errors.ts';
import { fingerprintOf } from '../../sealing.ts';
import { createKeyring, openKeyring } from '../keyring-file.ts';
import { addKey, removeKey } from '../keyring-rotation.ts';
import { recoverKeys } from '../keyring-store.ts';
import { makeRecoveryKey } from './recovery.ts';
import type { KeyringPlace } from './settings.ts';

// biome-ignore lint/suspicious/noExplicitAny: a file is changed in every way
type File = any;

let folder: string;
let place: KeyringPlace;
const recovery = makeRecoveryKey();
const second = makeRecoveryKey();

const placeAt = (file: string): KeyringPlace => ({
  file: join(folder, file),
  wrap: {
    by: { type: 'credential', key: { file: join(folder, 'key') } },
    recipients: [recovery.recipient, second.recipient],
    waitSeconds: 0,
  },
});
const read = async (file = place.file): Promise<File> => JSON.parse(await readFile(file, 'utf8'));
const write = (content: File, file = place.file) => writeFile(file, JSON.stringify(content));

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lockkeeper-'));
  place = placeAt('keyring.json');
  await writeFile(join(folder, 'key'), randomBytes(32).toString('base64'), { mode: 0o600 });
});
afterEach(() => rm(folder, { recursive: true }));

/** Changes one character to another of the same kind. */
const changed = (text: string, at = text.length >> 1): string =>
  text.slice(0, at) + (text[at] === '1' ? '2' : '1') + text.slice(at + 1);

describe('a wrapped keyring', () => {
  it('may be wrapped by a key in a file with any name', async () => {
    const file = join(folder, 'schlüssel');
    await writeFile(file, randomBytes(32).toString('base64'), { mode: 0o600 });
    const own = {
      file: join(folder, 'own.json'),
      wrap: { by: { type: 'credential', key: { file } } as const, recipients: [], waitSeconds: 0 },
    };
    const { fingerprint } = await createKeyring(own);
    expect((await openKeyring(own)).fingerprint).toBe(fingerprint);
  });

  it('opens to the same keys, and contains none of them', async () => {
    const created = await createKeyring(place);
    const sealed = created.encrypt(Buffer.from('x'), 'a');
    expect(Buffer.from((await openKeyring(place)).decrypt(sealed, 'a')).toString()).toBe('x');
    expect(Object.keys(await read())).toEqual(['format', 'fingerprint', 'wrap', 'recovery', 'content']);
    expect((await stat(place.file)).mode & 0o777).toBe(0o600);
  });

  it('has another data key each time it is written', async () => {
    await createKeyring(place);
    const first = await read();
    expect(await addKey(place, 0)).toBe(2);
    await removeKey(place, 1);
    const last = await read();
    for (const part of ['wrap', 'recovery', 'content'] as const) expect(last[part]).not.toEqual(first[part]);
    expect((await openKeyring(place)).versions).toEqual([2]);
    expect((await stat(place.file)).mode & 0o777).toBe(0o600);
  });

  const changes: readonly [string, (file: File, other: File) => void][] = [
    ['the format of an unwrapped keyring', (file) => Object.assign(file, { format: 1 })],
    ['a future format', (file) => Object.assign(file, { format: 3 })],
    ['another fingerprint', (file) => Object.assign(file, { fingerprint: changed(file.fingerprint) })],
    ['another type', (file) => Object.assign(file.wrap, { type: 'transit' })],
    ['an unknown type', (file) => Object.assign(file.wrap, { type: 'none' })],
    ['another name', (file) => Object.assign(file.wrap, { name: changed(file.wrap.name) })],
    ['another time', (file) => Object.assign(file.wrap, { at: changed(file.wrap.at, 3) })],
    ['another data key', (file) => Object.assign(file.wrap, { data_key: changed(file.wrap.data_key) })],
    ['the data key of another file', (file, other) => Object.assign(file.wrap, { data_key: other.wrap.data_key })],
    ['the content of another file', (file, other) => Object.assign(file, { content: other.content })],
    ['the head of another file', (file, other) => Object.assign(file, { ...other, content: file.content })],
    ['another nonce', (file) => Object.assign(file, { content: changed(file.content, 3) })],
    ['another content', (file) => Object.assign(file, { content: changed(file.content) })],
    ['another tag', (file) => Object.assign(file, { content: changed(file.content, file.content.length - 5) })],
    ['too little content', (file) => Object.assign(file, { content: file.content.slice(0, 20) })],
    ['another recipient', (file) => Object.assign(file.recovery[0], { recipient: makeRecoveryKey().recipient })],
    [
      'another key for a recipient',
      (file) => Object.assign(file.recovery[0], { data_key: changed(file.recovery[0].data_key) }),
    ],
    ['no recipient', (file) => Object.assign(file, { recovery: [] })],
    ['one recipient less', (file) => file.recovery.pop()],
    ['recipients in another order', (file) => file.recovery.reverse()],
    ['too many recipients', (file) => Object.assign(file, { recovery: Array(9).fill(file.recovery[0]) })],
    ['an additional member', (file) => Object.assign(file, { hash: 'x' })],
    ['an additional member in a part', (file) => Object.assign(file.wrap, { note: 'x' })],
    ['a missing member', (file) => delete file.recovery],
    ['a list instead of a part', (file) => Object.assign(file, { wrap: [] })],
  ];
  it.each(changes)('is refused with %s, and the message contains nothing of it', async (_, change) => {
    await createKeyring(place);
    const other = placeAt('other.json');
    await createKeyring(other);
    const file = await read();
    const { content } = file;
    change(file, await read(other.file));
    await write(file);
    const refusal = await openKeyring(place).catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(StorageError);
    expect(String(refusal)).not.toContain(content.slice(0, 20));
  });

  it('is refused if somebody else encrypted another keyring to the public key', async () => {
    await createKeyring(place);
    const theirs = placeAt('theirs.json');
    await createKeyring(theirs);
    const keys = await recoverKeys(theirs.file, recovery.privateKey);
    const keyring = await openKeyring(place);
    await write(await read(theirs.file));
    await expect(keyring.reload()).rejects.toThrow('now belongs to another server');
    expect(keyring.fingerprint).not.toBe(fingerprintOf(keys));
  });

  it('is refused with an invalid key, or one that other users can read', async () => {
    await createKeyring(place);
    const key = join(folder, 'key');
    await writeFile(key, 'short');
    await expect(openKeyring(place)).rejects.toThrow(/key must hold 32 random bytes in base64/);
    await rm(key);
    await expect(openKeyring(place)).rejects.toThrow(/key does not exist/);
    await writeFile(key, randomBytes(32).toString('base64'), { mode: 0o644 });
    await expect(openKeyring(place)).rejects.toThrow(/can be accessed by other users than its owner: chmod 600 it/);
  });

  it.each([recovery, second])('opens with the private key of a recipient', async ({ privateKey }) => {
    const { fingerprint } = await createKeyring(place);
    expect(fingerprintOf(await recoverKeys(place.file, privateKey))).toBe(fingerprint);
  });

  it('is not created for an invalid recipient', async () => {
    const none = `MCowBQYDK2VuAyEA${'A'.repeat(43)}=`;
    const wrap = place.wrap && { ...place.wrap, recipients: [none] };
    await expect(createKeyring({ ...place, ...(wrap && { wrap }) })).rejects.toThrow(
      `cannot be wrapped by credential: nothing can be encrypted to the recovery recipient ${none}`,
    );
    await expect(stat(place.file)).rejects.toThrow('ENOENT');
  });

  it('does not open with anything else', async () => {
    await createKeyring(place);
    const other = makeRecoveryKey();
    await expect(recoverKeys(place.file, other.privateKey)).rejects.toThrow(`(${other.recipient}) does not open it`);
    await expect(recoverKeys(place.file, 'x')).rejects.toThrow('is not an X25519 private key in PEM');
    const file = await read();
    file.recovery[0].data_key = file.recovery[1].data_key;
    await write(file);
    await expect(recoverKeys(place.file, recovery.privateKey)).rejects.toThrow('it was changed after');
    await createKeyring({ file: join(folder, 'plain.json') });
    await expect(recoverKeys(join(folder, 'plain.json'), recovery.privateKey)).rejects.toThrow('is not wrapped');
  });
});
