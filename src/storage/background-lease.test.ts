import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { postgresUrl, report, type TestDatabase } from '../../test/support/databases.ts';
import { openMigrated } from '../../test/support/migrated-databases.ts';
import { BackgroundLease } from './background-lease.ts';
import { type Database, sql } from './database.ts';

const end = sql('UPDATE background_lease SET ends_at = 0');
const write = sql<{ now: number }>(
  'INSERT INTO write_check (id, written_at) VALUES (1, :now) ON CONFLICT (id) DO UPDATE SET written_at = excluded.written_at',
);
const written = sql<Record<string, never>, { at: number }>('SELECT written_at AS at FROM write_check');

describe.skipIf(postgresUrl === undefined)('the leader lease of background tasks', () => {
  let opened: TestDatabase;
  let database: Database;
  let one: BackgroundLease;
  let other: BackgroundLease;
  const terms: string[] = [];

  beforeEach(async () => {
    opened = await openMigrated('postgres', 'access');
    database = opened.database;
    terms.length = 0;
    const lease = (name: string) =>
      new BackgroundLease({ database, report, taken: (term) => void terms.push(`${name} ${term}`) });
    one = lease('one');
    other = lease('other');
  });
  afterEach(async () => {
    await one.stop();
    await other.stop();
    await opened.close();
  });

  /** Simulates a holder that stopped renewing the lease. */
  const expire = () => database.run(end, {});
  const writtenAt = async () => (await database.one(written, {}))?.at;

  it('belongs to the first process that asks, as long as it renews it', async () => {
    await one.renewOrTakeOver();
    await other.renewOrTakeOver();
    await one.renewOrTakeOver();
    expect([one.isLeader, other.isLeader, terms]).toEqual([true, false, ['one 1']]);
    expect(await one.runIfLeader(async () => 'done')).toBe('done');
    expect(await other.runIfLeader(async () => 'done')).toBeUndefined();
  });

  it('passes to another process at once when its holder stops', async () => {
    await one.start();
    await one.stop();
    await other.renewOrTakeOver();
    expect([one.isLeader, other.isLeader, terms]).toEqual([false, true, ['one 1', 'other 2']]);
  });

  it('has only one holder if several processes ask at once', async () => {
    await Promise.all([one.renewOrTakeOver(), other.renewOrTakeOver()]);
    expect(terms).toHaveLength(1);
    await expire();
    await Promise.all([one.renewOrTakeOver(), other.renewOrTakeOver()]);
    expect([one.isLeader, other.isLeader].filter(Boolean)).toHaveLength(1);
  });

  it('stays with its holder while nobody has followed, however late the holder renews it', async () => {
    await one.renewOrTakeOver();
    await expire();
    await one.renewOrTakeOver();
    await other.renewOrTakeOver();
    expect([one.isLeader, other.isLeader, terms]).toEqual([true, false, ['one 1']]);
  });

  it('blocks all writes of a holder that lost it without noticing', async () => {
    await one.renewOrTakeOver();
    await expire();
    await other.renewOrTakeOver();
    expect(one.isLeader).toBe(true);
    const steps = [
      () => database.run(write, { now: 1 }),
      () => database.transaction((tx) => tx.run(write, { now: 2 })),
      // The write may come at any time during the step.
      () => sleep(1).then(() => database.run(write, { now: 3 })),
    ];
    for (const step of steps) expect(await one.runIfLeader(step)).toBeUndefined();
    expect(await writtenAt()).toBeUndefined();
    expect(one.isLeader).toBe(false);
    expect(await other.runIfLeader(() => database.run(write, { now: 4 }))).toBe(1);
    expect(await writtenAt()).toBe(4);
    // Requests need no lease.
    await database.run(write, { now: 5 });
    expect(await writtenAt()).toBe(5);
  });

  it('does not commit a transaction of a step after another process has become the holder', async () => {
    await one.renewOrTakeOver();
    const lost = await one.runIfLeader(async () => {
      await database.run(write, { now: 1 });
      await expire();
      await other.renewOrTakeOver();
      await database.run(write, { now: 2 });
    });
    expect(lost).toBeUndefined();
    expect(await writtenAt()).toBe(1);
  });

  it('does not belong to a process that cannot reach the database', async () => {
    const told: unknown[] = [];
    const broken = { ...opened.database, one: () => Promise.reject(new Error('gone')) } as unknown as Database;
    const lease = new BackgroundLease({ database: broken, report: (error) => told.push(error) });
    await lease.start();
    expect([lease.isLeader, told]).toEqual([false, [expect.objectContaining({ message: 'gone' })]]);
    await lease.stop();
  });
});
