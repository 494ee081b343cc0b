import { mkdtemp, readdir, readFile, rename, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { versionOf } from '../sealing.ts';
import { createKeyring, openKeyring } from './keyring-file.ts';
import { addKey, listKeys, removeKey } from './keyring-rotation.ts';

const HOUR = 3_600_000;
let folder: string;
let file: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lockkeeper-'));
  file = join(folder, 'keyring.json');
});
afterEach(() => rm(folder, { recursive: true }));

const bytes = Buffer.from('x');

describe('a keyring file', () => {
  it('gets a second key, keeps the first one, and stays private', async () => {
    const before = await createKeyring({ file });
    const sealed = before.encrypt(bytes, 'a');
    expect(await addKey({ file }, 0)).toBe(2);
    const after = await openKeyring({ file });
    expect([after.version, after.versions, after.fingerprint]).toEqual([2, [1, 2], before.fingerprint]);
    expect(Buffer.from(after.decrypt(sealed, 'a'))).toEqual(bytes);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect(await readdir(folder)).toEqual(['keyring.json']);
  });

  it('has a key that decrypts before it encrypts', async () => {
    await createKeyring({ file });
    await addKey({ file }, Date.now() + HOUR);
    const now = await openKeyring({ file });
    expect([now.version, now.versions]).toEqual([1, [1, 2]]);
    expect(versionOf(now.encrypt(bytes, 'a'))).toBe(1);
    const roles = async (at: number) =>
      (await listKeys({ file }, () => at)).map(({ version, role }) => `${version} ${role}`);
    expect(await roles(Date.now())).toEqual(['2 next', '1 primary']);
    expect(await roles(Date.now() + 2 * HOUR)).toEqual(['2 primary', '1 old']);
    await expect(addKey({ file }, 0)).rejects.toThrow('has key 2 already, which does not encrypt yet');
  });

  it('shows when its keys were created', async () => {
    const before = Date.now();
    await createKeyring({ file });
    const after = Date.now();
    await addKey({ file }, 5000, () => 4000);
    const [second, first] = await listKeys({ file });
    expect(second).toEqual({ version: 2, created: 4000, sealsFrom: 5000, role: 'primary' });
    expect(first?.created).toBeGreaterThanOrEqual(before);
    expect(first?.created).toBeLessThanOrEqual(after);
  });

  it('may be older than the field for the time of creation', async () => {
    await createKeyring({ file });
    const { keys: _, ...content } = JSON.parse(await readFile(file, 'utf8'));
    await writeFile(file, JSON.stringify(content));
    expect(await listKeys({ file })).toEqual([{ version: 1, created: undefined, sealsFrom: 0, role: 'primary' }]);
    expect(await addKey({ file }, 0)).toBe(2);
  });

  it('loses a key that does not encrypt, and no other', async () => {
    await createKeyring({ file });
    await addKey({ file }, 0);
    await expect(removeKey({ file }, 2)).rejects.toThrow('encrypts with key 2: it cannot be removed');
    await expect(removeKey({ file }, 3)).rejects.toThrow('has no key 3');
    await removeKey({ file }, 1);
    expect((await openKeyring({ file })).versions).toEqual([2]);
    // The number of a key is never reused.
    expect(await addKey({ file }, 0)).toBe(3);
  });

  it('is changed by one command at a time', async () => {
    await createKeyring({ file });
    const attempts = await Promise.allSettled([addKey({ file }, 0), addKey({ file }, 0), addKey({ file }, 0)]);
    const done = attempts.filter(({ status }) => status === 'fulfilled').length;
    expect((await openKeyring({ file })).versions).toHaveLength(1 + done);
    expect(await readdir(folder)).toEqual(['keyring.json']);
  });

  it('is not changed while the draft of another command exists', async () => {
    await createKeyring({ file });
    await writeFile(`${file}.next`, '');
    await expect(addKey({ file }, 0)).rejects.toThrow(
      /is being changed by another command.*remove .*keyring.json.next/,
    );
    expect((await openKeyring({ file })).versions).toEqual([1]);
    expect(await readdir(folder)).toEqual(['keyring.json', 'keyring.json.next']);
  });

  it('is changed in place, behind a link too', async () => {
    await createKeyring({ file });
    const link = join(folder, 'link.json');
    await symlink(file, link);
    await addKey({ file: link }, 0);
    expect((await openKeyring({ file })).versions).toEqual([1, 2]);
    expect((await readdir(folder)).toSorted()).toEqual(['keyring.json', 'link.json']);
  });

  it.each([
    ['keys that are a list', { keys: [] }, 'keys are expected by their version'],
    ['an invalid time', { keys: { 1: { seals_from: 'soon' } } }, 'keys.1.seals_from must be a time'],
  ])('is refused with %s', async (_, change, reason) => {
    await createKeyring({ file });
    await writeFile(file, JSON.stringify({ ...JSON.parse(await readFile(file, 'utf8')), ...change }));
    await expect(openKeyring({ file })).rejects.toThrow(reason);
  });
});

describe('a keyring in use', () => {
  it('loads a new key, and drops a removed one', async () => {
    const keyring = await createKeyring({ file });
    await addKey({ file }, 0);
    expect(keyring.versions).toEqual([1]);
    await keyring.reload();
    expect([keyring.version, keyring.versions]).toEqual([2, [1, 2]]);
    await removeKey({ file }, 1);
    await keyring.reload();
    expect(keyring.versions).toEqual([2]);
  });

  it('keeps its keys if the file is missing, broken, or belongs to another server', async () => {
    const keyring = await createKeyring({ file });
    const sealed = keyring.encrypt(bytes, 'a');
    await writeFile(file, '{');
    await expect(keyring.reload()).rejects.toThrow('it is not JSON');
    await rm(file);
    await expect(keyring.reload()).rejects.toThrow('cannot be read');
    await createKeyring({ file });
    await expect(keyring.reload()).rejects.toThrow('belongs to another server');
    expect(keyring.isCurrent).toBe(false);
    expect(Buffer.from(keyring.decrypt(sealed, 'a'))).toEqual(bytes);
  });

  it('follows its file', { timeout: 30_000 }, async () => {
    const keyring = await createKeyring({ file });
    const following = keyring.following((error) => {
      throw error;
    });
    following.start();
    await addKey({ file }, 0);
    await expect.poll(() => keyring.versions, { timeout: 20_000 }).toEqual([1, 2]);
    await following.stop();
  });

  it('reports once that its file is missing, and is current again when the file is back unchanged', async () => {
    const keyring = await createKeyring({ file });
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const told: unknown[] = [];
    const following = keyring.following((error) => told.push(error));
    following.start();
    const current = (expected: boolean) =>
      vi.waitFor(() => {
        vi.advanceTimersByTime(5_000);
        expect(keyring.isCurrent).toBe(expected);
      });
    await rename(file, `${file}.away`);
    await current(false);
    for (let looks = 0; looks < 5; looks++) await current(false);
    await rename(`${file}.away`, file);
    await current(true);
    await following.stop();
    expect(told).toHaveLength(1);
  });
});
