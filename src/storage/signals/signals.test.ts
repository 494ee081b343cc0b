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

  it('reach the listeners of the topic after the commit', async () => {
    listen(TOPIC);
    listen('another');
    // A new connection calls all listeners, because signals may have been lost.
    if (kind === 'postgres') await expect.poll(() => heard).toContain('another');
    heard = [];
    await send(TOPIC);
    await expect.poll(() => heard).toEqual([TOPIC]);
  });

  it('are not sent after a rollback', async () => {
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

  it('deliver the rest of their topic, each time', async () => {
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

  it('do not reach listeners that were removed', async () => {
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
    it('reach all of them', async () => {
      const other = open();
      other.listen(TOPIC, () => heard.push('other'));
      await expect.poll(() => heard).toEqual(['other']);
      await send(TOPIC);
      await expect.poll(() => heard).toEqual(['other', 'other']);
      await other.close();
    });

    it('work again after the connection was lost, and listeners are called once', async () => {
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
