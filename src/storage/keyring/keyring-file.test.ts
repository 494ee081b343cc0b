import { chmod, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { databaseKinds, openTestDatabase } from '../../../test/support/databases.ts';
import { bindKeyring, keyringMigrations } from '../bind-keyring.ts';
import { StorageError } from '../errors.ts';
import { migrate } from '../schema/migrate.ts';
import { createKeyring, openKeyring } from './keyring-file.ts';

let folder: string;
let file: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lockkeeper-'));
  file = join(folder, 'keyring.json');
});

afterEach(() => rm(folder, { recursive: true }));

describe('a keyring file', () => {
  it('is created for its owner only, and opens to the same keys', async () => {
    const created = await createKeyring({ file });
    const opened = await openKeyring({ file });
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect(await readdir(folder)).toEqual(['keyring.json']);
    expect(opened.fingerprint).toBe(created.fingerprint);
    expect(Buffer.from(opened.decrypt(created.encrypt(Buffer.from('x'), 'a'), 'a')).toString()).toBe('x');
  });

  it('is never replaced', async () => {
    const { fingerprint } = await createKeyring({ file });
    await expect(createKeyring({ file })).rejects.toThrow('already exists: it is never replaced');
    expect((await openKeyring({ file })).fingerprint).toBe(fingerprint);
    expect(await readdir(folder)).toEqual(['keyring.json']);
  });

  it('is created once if several processes create it at the same time', async () => {
    const attempts = await Promise.allSettled([
      createKeyring({ file }),
      createKeyring({ file }),
      createKeyring({ file }),
    ]);
    expect(attempts.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  });

  it('is refused if it is missing', async () => {
    await expect(openKeyring({ file })).rejects.toThrow(`the keyring ${file} cannot be read. Restore it`);
  });

  it.each([0o640, 0o604, 0o660, 0o610])('is refused with mode %o', async (mode) => {
    await createKeyring({ file });
    await chmod(file, mode);
    await expect(openKeyring({ file })).rejects.toThrow('can be accessed by other users than its owner: chmod 600 it');
  });

  const key = Buffer.alloc(32, 7).toString('base64');
  it.each([
    ['not JSON', `{"format": 1, "hash": "${key}"`, 'it is not JSON'],
    ['empty', '', 'it is not JSON'],
    ['a list', '[]', 'format 1, encryption and hash are expected'],
    ['of another format', { format: 3, encryption: { 1: key }, hash: key }, 'format 1'],
    ['without encryption keys', { format: 1, encryption: {}, hash: key }, 'it has no encryption key'],
    ['with a version that is not a number', { format: 1, encryption: { new: key }, hash: key }, 'versions are numbers'],
    ['with a version 0', { format: 1, encryption: { 0: key }, hash: key }, 'versions are numbers'],
    ['without a hash key', { format: 1, encryption: { 1: key } }, 'hash must be 32 bytes in base64'],
    ['with a short key', { format: 1, encryption: { 1: key.slice(4) }, hash: key }, 'encryption.1 must be 32 bytes'],
    ['with a key that is not base64', { format: 1, encryption: { 1: `!${key}` }, hash: key }, 'encryption.1 must be'],
    ['far too large', ' '.repeat(70_000), 'is too large'],
  ])('is refused if it is %s, and the message contains nothing of it', async (_, content, reason) => {
    await writeFile(file, typeof content === 'string' ? content : JSON.stringify(content), { mode: 0o600 });
    const refusal = await openKeyring({ file }).catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(StorageError);
    expect(String(refusal)).toContain(reason);
    expect(`${refusal} ${(refusal as Error).cause}`).not.toContain(key.slice(8, 16));
  });

  it('holds new keys each time', async () => {
    await createKeyring({ file });
    const { encryption, hash } = JSON.parse(await readFile(file, 'utf8'));
    await rm(file);
    await createKeyring({ file });
    const second = await readFile(file, 'utf8');
    expect(second).not.toContain(encryption[1]);
    expect(second).not.toContain(hash);
  });
});

it.each(databaseKinds)('binds a database on %s to its first keyring', async (kind) => {
  const { database, close } = await openTestDatabase(kind);
  const keyring = await createKeyring({ file });
  const another = await createKeyring({ file: `${file}-2` });
  await migrate(database, 'keyring', keyringMigrations);
  await Promise.all([bindKeyring(database, keyring), bindKeyring(database, keyring)]);
  await bindKeyring(database, keyring);
  await expect(bindKeyring(database, another)).rejects.toThrow(
    `belongs to another keyring (fingerprint ${keyring.fingerprint}, ours is ${another.fingerprint}): restore`,
  );
  await close();
});
