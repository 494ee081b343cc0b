import { mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { BackupAttempts, nextBackup } from '../../backup/index.ts';
import type { Config } from '../../config/index.ts';
import { systemClock } from '../../lib/clock.ts';
import { createKeyring, type Keyring, StorageError, sql } from '../../storage/index.ts';
import { closeDatabases, type Databases, openDatabases } from '../databases.ts';
import { prepareDatabases } from '../schemas.ts';
import { makeBackup } from './make-backup.ts';

let folder: string;
let config: Config;
let keyring: Keyring;
let databases: Databases;
let attempts: BackupAttempts;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'lockkeeper-make-'));
  const place = join(folder, 'backups');
  mkdirSync(place);
  const storage = { type: 'sqlite', directory: join(folder, 'data') } as const;
  config = { storage, backup: { destination: `${place}/`, keep: 1 } } as unknown as Config;
  keyring = await createKeyring({ file: join(folder, 'keyring.json') });
  databases = await openDatabases(storage, pino({ level: 'silent' }));
  await prepareDatabases(databases, keyring);
  attempts = new BackupAttempts(databases.workspaces, systemClock);
});
afterEach(async () => {
  await closeDatabases(databases);
  rmSync(folder, { recursive: true });
});

const make = (openKeyring: () => Promise<Keyring> = async () => keyring) =>
  makeBackup({ config, openKeyring, database: databases.workspaces }, { scheduled: true });
const files = () => readdirSync(join(folder, 'backups'));

describe('a backup of the schedule', () => {
  it('that finds no keys counts as one that failed, and is not tried again at once', async () => {
    const away = new StorageError('the keyring cannot be unwrapped');
    await expect(make(() => Promise.reject(away))).rejects.toThrow(away);
    expect((await attempts.lastOutcomes()).failedAt).toBeDefined();
    const past = await attempts.scheduled();
    const now = Date.now();
    expect(nextBackup({ every: 3_600_000 }, past, now)).toBeGreaterThan(now);
    expect(await attempts.isUnderWay()).toBe(false);
  });

  it('that was noted by a clock that was ahead neither keeps the next one waiting, nor counts as the last', async () => {
    const wrong = new BackupAttempts(databases.workspaces, () => Date.UTC(2099, 0));
    const noted = await wrong.begin({ id: 'ahead', scheduled: true, destination: 'somewhere' });
    await noted.end({ whole: true, bytes: 1, missing: 0 });
    expect([await attempts.scheduled(), await attempts.lastOutcomes()]).toEqual([[], {}]);
    await make();
    expect(await attempts.scheduled()).toMatchObject([{ whole: 1 }]);
  });

  it('that has no place counts as one that failed, too', async () => {
    config = { ...config, backup: { destination: 's3://bucket/', keep: 1 } };
    await expect(make()).rejects.toThrow('access to the bucket is not configured');
    expect(await attempts.scheduled()).toMatchObject([{ whole: 0 }]);
  });

  it('takes the place of older ones, never of itself because a clock was ahead', async () => {
    const [older = ''] = [(await make()).backup.split('/').at(-1)];
    const ahead = older.replace(/-\d{8}T/, '-20991231T');
    writeFileSync(join(folder, 'backups', ahead), '');
    const { backup, removed } = await make();
    expect(removed).toEqual([older]);
    expect(files()).toEqual([backup.split('/').at(-1), ahead].toSorted());
  });

  it('is whole where older ones cannot be removed, which it says', async () => {
    const stuck = join(folder, 'backups', 'lockkeeper-00000000-20200101T000000Z-0123456789abcdef.backup.draft');
    mkdirSync(stuck);
    utimesSync(stuck, 0, 0);
    const earlier = (await make()).backup.split('/').at(-1);
    expect(await make()).toMatchObject({ removed: [earlier], unremoved: expect.stringContaining(stuck) });
    expect((await attempts.lastOutcomes()).failedAt).toBeUndefined();
  });

  it('in which not one content was found takes nobody’s place', async () => {
    const earlier = (await make()).backup.split('/').at(-1);
    const name = 'ab'.repeat(16);
    const insert = sql<{ name: string; bytes: Uint8Array }>(
      `INSERT INTO blob (name, content_hash, size, data_key, key_version, uses, created_at)
       VALUES (:name, :bytes, 1, :bytes, 1, 1, 0)`,
    );
    await databases.workspaces.run(insert, { name, bytes: Buffer.from('x') });
    expect(await make()).toMatchObject({ blobs: 0, missing: [name], removed: [] });
    expect(files()).toContain(earlier);
    expect(files()).toHaveLength(2);
  });
});
