import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { databaseKinds } from '../../../test/support/databases.ts';
import { openMigrated } from '../../../test/support/migrated-databases.ts';
import { BackupAttempts } from '../../backup/index.ts';
import type { Database } from '../database.ts';
import { FileBlobs } from './file-blobs.ts';
import { HeldBlobs } from './held-blobs.ts';

const MINUTE = 60_000;
const NAME = 'ab'.repeat(16);

async function* content(): AsyncGenerator<Uint8Array> {
  yield Buffer.from('content');
}

describe.each(databaseKinds)('blobs during a backup, on %s', (kind) => {
  let database: Database;
  let close: () => Promise<void>;
  let folder: string;
  let now = 1_000_000;
  let store: HeldBlobs;
  let attempts: BackupAttempts;
  const begin = () => attempts.begin({ id: `b${now}`, scheduled: true, destination: 'somewhere' });
  const isThere = async () => (await store.list('ab')).blobs.length === 1;

  beforeEach(async () => {
    ({ database, close } = await openMigrated(kind, 'workspaces'));
    folder = mkdtempSync(join(tmpdir(), 'lockkeeper-'));
    store = new HeldBlobs(new FileBlobs(folder), database, () => now);
    attempts = new BackupAttempts(database, () => now);
    await store.put(NAME, content());
  });
  afterEach(async () => {
    rmSync(folder, { recursive: true });
    await close();
  });

  it('are not deleted until it ends', async () => {
    const attempt = await begin();
    expect(await attempts.isUnderWay()).toBe(true);
    await store.delete(NAME);
    expect(await isThere()).toBe(true);
    await attempt.end({ whole: true, bytes: 5, missing: 0 });
    await store.delete(NAME);
    expect([await isThere(), await attempts.isUnderWay()]).toEqual([false, false]);
  });

  it('are deleted again if its heartbeats stop; it then fails, and the next one counts', async () => {
    const attempt = await begin();
    const passing = attempt.withHeartbeat(content());
    await passing.next();
    now += 6 * MINUTE;
    await store.delete(NAME);
    expect(await isThere()).toBe(false);
    await expect(passing.next()).rejects.toThrow('the backup made no progress for too long');
    expect(await attempts.lastOutcomes()).toEqual({ failedAt: now - MINUTE });
    const next = await begin();
    await next.end({ whole: true, bytes: 7, missing: 1 });
    expect(await attempts.lastOutcomes()).toEqual({
      success: { id: `b${now}`, startedAt: now, endedAt: now, bytes: 7, missing: 1 },
      failedAt: now - MINUTE,
    });
  });

  it('are kept as long as a long backup sends heartbeats', async () => {
    const attempt = await begin();
    async function* slow(): AsyncGenerator<Uint8Array> {
      for (let part = 0; part < 20; part++) {
        now += MINUTE;
        yield Buffer.from('part');
      }
    }
    for await (const _ of attempt.withHeartbeat(slow())) await store.delete(NAME);
    expect(await isThere()).toBe(true);
    await attempt.end({ whole: false, bytes: 0, missing: 0 });
    expect((await attempts.scheduled()).map(({ whole }) => whole)).toEqual([0]);
  });

  it('keeps the last hundred rows, and always the last complete backup', async () => {
    await (await begin()).end({ whole: true, bytes: 1, missing: 0 });
    const first = now;
    for (let n = 0; n < 110; n++) {
      now += MINUTE;
      await (await begin()).end({ whole: false, bytes: 0, missing: 0 });
    }
    expect(await attempts.lastOutcomes()).toMatchObject({ success: { startedAt: first }, failedAt: now });
    const rows = await database.dynamic<{ count: number }>({
      sql: 'SELECT count(*) AS count FROM backup_attempt',
      parameters: [],
    });
    expect(Number(rows[0]?.count)).toBeLessThanOrEqual(102);
  });
});
