import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { databaseKinds, openTestDatabase, type TestDatabase } from '../../test/support/databases.ts';
import { type Database, sql } from './database.ts';
import { ReadThroughCache } from './read-through-cache.ts';
import { openSqlite } from './sqlite.ts';

const createTable = sql('CREATE TABLE counter (id INTEGER PRIMARY KEY, value INTEGER NOT NULL)');
const start = sql('INSERT INTO counter (id, value) VALUES (1, 0)');
const set = sql<{ value: number }>('UPDATE counter SET value = :value');
const select = sql<Record<string, never>, { value: number }>('SELECT value FROM counter');

const read = (database: Database) => database.one(select, {});

describe.each(databaseKinds)('cached reads on %s', (kind) => {
  let opened: TestDatabase;
  beforeAll(async () => {
    opened = await openTestDatabase(kind);
    await opened.database.run(createTable, {});
    await opened.database.run(start, {});
  });
  afterAll(() => opened.close());

  it('never return a value from before an acknowledged write', async () => {
    const { database } = opened;
    const kept = new ReadThroughCache<{ value: number }>(database, 10);
    for (let value = 1; value <= 50; value++) {
      const writing = database.run(set, { value });
      const meanwhile = await kept.get('one', () => read(database));
      expect([value - 1, value]).toContain(meanwhile?.value);
      await writing;
      expect(await kept.get('one', () => read(database))).toEqual({ value });
    }
  });
});

describe('cached reads of a file', () => {
  let folder: string;
  let database: Database;
  const open = () => openSqlite({ file: join(folder, 'test.db'), report: () => {} });

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'lockkeeper-'));
    database = await open();
    await database.run(createTable, {});
    await database.run(start, {});
  });
  afterEach(async () => {
    await database.close();
    await rm(folder, { recursive: true });
  });

  it('survive readiness checks that write to the database', async () => {
    const kept = new ReadThroughCache<{ value: number }>(database, 10);
    const first = await kept.get('one', () => read(database));
    for (let round = 0; round < 3; round++) {
      await database.check();
      await nextTurn();
      expect(await kept.get('one', () => read(database))).toBe(first);
    }
  });

  it('are read once per key while nothing changes', async () => {
    const kept = new ReadThroughCache<{ value: number }>(database, 10);
    const first = await kept.get('one', () => read(database));
    expect(await kept.get('one', () => read(database))).toBe(first);
    expect(await kept.get('other', () => read(database))).not.toBe(first);
    await nextTurn();
    expect(await kept.get('one', () => read(database))).toBe(first);
  });

  it('are invalidated by writes of another process', async () => {
    const kept = new ReadThroughCache<{ value: number }>(database, 10);
    await kept.get('one', () => read(database));
    const elsewhere = await open();
    await elsewhere.run(set, { value: 7 });
    await elsewhere.close();
    await nextTurn();
    expect(await kept.get('one', () => read(database))).toEqual({ value: 7 });
  });

  it('are not cached if a write happened during the read', async () => {
    const kept = new ReadThroughCache<{ value: number }>(database, 10);
    const stale = await kept.get('one', async () => {
      const before = await read(database);
      await database.run(set, { value: 8 });
      return before;
    });
    expect(stale).toEqual({ value: 0 });
    expect(await kept.get('one', () => read(database))).toEqual({ value: 8 });
  });

  it('are not cached without a result or after an error', async () => {
    const kept = new ReadThroughCache<{ value: number }>(database, 10);
    expect(await kept.get('one', async () => undefined)).toBeUndefined();
    await expect(kept.get('one', () => Promise.reject(new Error('no')))).rejects.toThrow('no');
    expect(await kept.get('one', () => read(database))).toEqual({ value: 0 });
  });
});
