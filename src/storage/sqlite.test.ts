import { statSync } from 'node:fs';
import { copyFile, mkdtemp, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Database, sql } from './database.ts';
import { openSqlite, type SqliteOptions } from './sqlite.ts';

const createTable = sql('CREATE TABLE entry (id INTEGER PRIMARY KEY, body TEXT NOT NULL) STRICT');
const add = sql<{ id: number; body: string }>('INSERT INTO entry (id, body) VALUES (:id, :body)');
const ids = sql<Record<string, never>, { id: number }>('SELECT id FROM entry ORDER BY id');

let folder: string;
let file: string;
let reported: unknown[];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lockkeeper-'));
  file = join(folder, 'test.db');
  reported = [];
});

afterEach(() => rm(folder, { recursive: true }));

function openFile(options: Partial<SqliteOptions> = {}): Promise<Database> {
  return openSqlite({ file, report: (error) => reported.push(error), ...options });
}

async function stored(database: Database): Promise<number[]> {
  return (await database.all(ids, {})).map(({ id }) => id);
}

describe('the file of a database', () => {
  it('and its log are for their owner only', async () => {
    const database = await openFile();
    await database.run(createTable, {});
    for (const suffix of ['', '-wal', '-shm']) expect((await stat(file + suffix)).mode & 0o777).toBe(0o600);
    await database.close();
  });

  it('keeps stored data', async () => {
    const first = await openFile();
    await first.run(createTable, {});
    await first.run(add, { id: 1, body: 'x' });
    await first.close();
    const second = await openFile();
    expect(await stored(second)).toEqual([1]);
    await second.close();
  });

  it('is refused if its folder does not exist', async () => {
    await expect(openFile({ file: join(folder, 'absent', 'test.db') })).rejects.toThrow(
      'cannot be used: create it first',
    );
  });

  it('is refused if it is not a database', async () => {
    await writeFile(file, 'To whom it may concern: this is a letter, and no database at all.'.repeat(20));
    await expect(openFile()).rejects.toThrow(`${file} cannot be opened as a database: file is not a database`);
  });

  it('cannot be used after it is closed, though started work is finished', async () => {
    const database = await openFile();
    await database.run(createTable, {});
    const last = database.run(add, { id: 1, body: 'x' });
    await Promise.all([last, database.close()]);
    await expect(database.run(add, { id: 2, body: 'x' })).rejects.toThrow('the database is closed');
    await expect(database.all(ids, {})).rejects.toThrow('not open');
  });
});

describe('a transaction', () => {
  it('that waits for something else is rolled back at once, and blocks nothing', async () => {
    const database = await openFile();
    await database.run(createTable, {});
    const waiting = database.transaction(async (tx) => {
      await tx.run(add, { id: 1, body: 'x' });
      await new Promise(() => {});
    });
    const next = database.run(add, { id: 2, body: 'x' });
    await expect(waiting).rejects.toThrow('waited for something other than its own statements');
    await next;
    expect(await stored(database)).toEqual([2]);
    await database.close();
  });

  it('cannot write through a query that is for reading', async () => {
    const database = await openFile();
    await database.run(createTable, {});
    await expect(database.dynamic({ sql: 'DELETE FROM entry', parameters: [] })).rejects.toThrow('readonly');
    await database.close();
  });
});

describe('durability', () => {
  /** Syncs that wait until the test releases them. */
  function heldSyncs() {
    const waiting: PromiseWithResolvers<void>[] = [];
    let held = false;
    return {
      sync: () => {
        const sync = Promise.withResolvers<void>();
        if (held) waiting.push(sync);
        else sync.resolve();
        return sync.promise;
      },
      hold: () => {
        held = true;
      },
      next: async () => {
        while (waiting.length === 0) await nextTurn();
        return waiting.shift() as PromiseWithResolvers<void>;
      },
    };
  }

  it('a sync comes before every acknowledgement and every hook, and before readers see the write', async () => {
    const disk = heldSyncs();
    const database = await openFile({ sync: disk.sync });
    await database.run(createTable, {});
    await database.run(add, { id: 1, body: 'x' });
    disk.hold();
    const log: string[] = [];

    const first = database.run(add, { id: 2, body: 'x' }).then(() => log.push('first'));
    const running = await disk.next();
    const second = database
      .transaction(async (tx) => {
        tx.afterCommit(() => log.push('hook'));
        await tx.run(add, { id: 3, body: 'x' });
      })
      .then(() => log.push('second'));
    const looking = database.transaction((tx) => tx.all(ids, {})).then((rows) => log.push(`saw ${rows.length}`));
    const failing = database.run(add, { id: 2, body: 'x' }).catch(() => log.push('refused'));
    for (let turn = 0; turn < 20; turn++) await nextTurn();
    expect(log).toEqual([]);
    expect(await stored(database)).toEqual([1]);

    running.resolve();
    await first;
    expect(log).toEqual(['first']);
    expect(await stored(database)).toEqual([1, 2]);

    (await disk.next()).resolve();
    await Promise.all([second, looking, failing]);
    expect(log.toSorted()).toEqual(['first', 'hook', 'refused', 'saw 3', 'second']);
    expect(await stored(database)).toEqual([1, 2, 3]);
    await database.close();
  });

  it('statements that arrive together share one sync, and each fails on its own', async () => {
    let syncs = 0;
    const database = await openFile({
      sync: async () => {
        syncs++;
      },
    });
    await database.run(createTable, {});
    await database.run(add, { id: 3, body: 'x' });
    syncs = 0;
    const writes = [1, 2, 3, 4, 5].map((id) => database.run(add, { id, body: 'x' }));
    const counted = await Promise.allSettled(writes);
    expect(counted.filter(({ status }) => status === 'fulfilled')).toHaveLength(4);
    expect(counted[2]).toMatchObject({ status: 'rejected', reason: { constraint: 'entry_pkey' } });
    expect(await stored(database)).toEqual([1, 2, 3, 4, 5]);
    expect(syncs).toBe(1);
    await database.close();
  });

  it('all writes are refused after a failed sync, and data that may be lost is never read', async () => {
    const disk = heldSyncs();
    const database = await openFile({ sync: disk.sync });
    await database.run(createTable, {});
    disk.hold();
    const lost = database.run(add, { id: 1, body: 'x' });
    (await disk.next()).reject(new Error('EIO'));
    await expect(lost).rejects.toMatchObject({ kind: 'unavailable' });
    await expect(database.run(add, { id: 2, body: 'x' })).rejects.toMatchObject({ kind: 'unavailable' });
    await expect(database.transaction(async () => {})).rejects.toMatchObject({ kind: 'unavailable' });
    expect(await stored(database)).toEqual([]);
    expect(String(reported)).toContain('the disk failed');
    await database.close();

    // The first may be stored or not, the second was never attempted.
    const reopened = await openFile();
    expect(await stored(reopened)).not.toContain(2);
    await reopened.close();
  });

  it('every acknowledged row survives a power failure', async () => {
    // Bytes that are certainly on the disk: the log up to its length at the start of the last finished sync.
    let durable = 0;
    const database = await openFile({
      sync: async (log) => {
        const { size } = statSync(`${file}-wal`);
        await log.datasync();
        durable = size;
      },
    });
    await database.run(createTable, {});
    const acknowledged: number[] = [];
    const writes = Array.from({ length: 300 }, (_, id) =>
      sleep(Math.random() * 30)
        .then(() => database.run(add, { id, body: 'x'.repeat(200) }))
        .then(() => acknowledged.push(id)),
    );
    while (acknowledged.length < 150) await nextTurn();

    const [size, expected] = [durable, [...acknowledged]];
    const after = join(folder, 'after.db');
    await copyFile(file, after);
    await copyFile(`${file}-wal`, `${after}-wal`);
    await truncate(`${after}-wal`, size);
    const reopened = await openFile({ file: after });
    expect(new Set(await stored(reopened))).toEqual(new Set([...expected, ...(await stored(reopened))]));

    await Promise.all(writes);
    await reopened.close();
    await database.close();
  });
});

it('the log restarts while much is written, and loses nothing', async () => {
  const database = await openFile();
  await database.run(createTable, {});
  const body = 'x'.repeat(20_000);
  let rows = 0;
  const pagesInLog = async () => {
    const [log] = await database.dynamic<{ log: number }>({ sql: 'PRAGMA wal_checkpoint(NOOP)', parameters: [] });
    return log?.log ?? 0;
  };
  const write = async () => {
    await Promise.all(Array.from({ length: 16 }, () => database.run(add, { id: rows++, body })));
    return pagesInLog();
  };

  let longest = 0;
  for (let now = await write(); now > longest; now = await write()) longest = now;
  expect(longest).toBeGreaterThan(4000);
  expect(await stored(database)).toHaveLength(rows);
  await database.close();
  expect(reported).toEqual([]);

  const reopened = await openFile();
  expect(await reopened.dynamic({ sql: 'PRAGMA integrity_check', parameters: [] })).toMatchObject([
    { integrity_check: 'ok' },
  ]);
  expect(await stored(reopened)).toHaveLength(rows);
  await reopened.close();
});
