import { Client } from 'pg';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { databaseKinds, openTestDatabase, postgresUrl, type TestDatabase } from '../../../test/support/databases.ts';
import { PostgresSignals } from './postgres-signals.ts';
import { LocalSignals, type Signals } from './signals.ts';

const TOPIC = 'queue/org-1';

describe.each(databaseKinds)('signals on %s', (kind) => {
  let opened: TestDatabase;
  let signals: Signals;
  let heard: string[];
  const failures: unknown[] = [];
  const listen = (topic: string) => signals.listen(topic, () => heard.push(topic));
  const send = (topic: string) => opened.database.transaction(async (tx) => signals.send(tx, topic));
  const open = (schema = 'signals') =>
    kind === 'sqlite'
      ? new LocalSignals()
      : new PostgresSignals({ url: postgresUrl ?? '', schema, report: (error) => failures.push(error) });

  beforeEach(async () => {
    opened = await openTestDatabase(kind);
    signals = open();
    heard = [];
  });
  afterEach(async () => {
    await signals.close();
    await opened.close();
  });

  it('are heard by those who listen to the topic, once the work is committed', async () => {
    listen(TOPIC);
    listen('another');
    // Whoever begins to listen is told that something may have happened.
    if (kind === 'postgres') await expect.poll(() => heard).toContain('another');
    heard = [];
    await send(TOPIC);
    await expect.poll(() => heard).toEqual([TOPIC]);
  });

  it('are not heard of work that is rolled back', async () => {
    listen(TOPIC);
    if (kind === 'postgres') await expect.poll(() => heard).toEqual([TOPIC]);
    heard = [];
    const failing = opened.database.transaction(async (tx) => {
      signals.send(tx, TOPIC);
      throw new Error('no');
    });
    await expect(failing).rejects.toThrow('no');
    listen('after');
    await send('after');
    await expect.poll(() => heard).toContain('after');
    expect(heard).not.toContain(TOPIC);
  });

  it('are heard with the rest of their topic, each time', async () => {
    const told: string[] = [];
    const end = signals.listenToPrefix('told/', (rest) => told.push(rest));
    listen('after');
    if (kind === 'postgres') await expect.poll(() => heard).toContain('after');
    heard = [];
    for (const rest of ['a/1', 'b', 'a/1']) await send(`told/${rest}`);
    await expect.poll(() => told).toEqual(['a/1', 'b', 'a/1']);
    end();
    await send('told/c');
    await send('after');
    await expect.poll(() => heard).toContain('after');
    expect(told).toEqual(['a/1', 'b', 'a/1']);
  });

  it('are heard no more by those who have ended', async () => {
    const end = listen(TOPIC);
    listen('after');
    if (kind === 'postgres') await expect.poll(() => heard).toContain(TOPIC);
    heard = [];
    end();
    await send(TOPIC);
    await send('after');
    await expect.poll(() => heard).toEqual(['after']);
  });

  describe.skipIf(postgresUrl === undefined)('of several nodes', () => {
    it('are heard by all of them', async () => {
      const other = open();
      other.listen(TOPIC, () => heard.push('other'));
      await expect.poll(() => heard).toEqual(['other']);
      await send(TOPIC);
      await expect.poll(() => heard).toEqual(['other', 'other']);
      await other.close();
    });

    it('go on after the connection was lost, and whoever listens looks again', async () => {
      listen(TOPIC);
      await expect.poll(() => heard).toEqual([TOPIC]);
      const client = new Client({ connectionString: postgresUrl });
      await client.connect();
      await client.query(
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'lockkeeper signals'",
      );
      await client.end();
      await expect.poll(() => heard.length, { timeout: 10_000 }).toBeGreaterThanOrEqual(2);
      expect(failures).not.toEqual([]);
      heard = [];
      await send(TOPIC);
      await expect.poll(() => heard).toEqual([TOPIC]);
    });
  });
});
