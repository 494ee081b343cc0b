import { Client } from 'pg';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { dropSchema, openTestDatabase, postgresUrl, type TestDatabase } from '../../test/support/databases.ts';
import { sql } from './database.ts';
import type { PostgresClient, PostgresPool, PostgresQuery } from './postgres/pool.ts';
import { SessionPool } from './postgres/session-pool.ts';
import { openPostgres } from './postgres.ts';

const one = sql<Record<string, never>, { one: number }>('SELECT 1 AS one');

interface Change {
  /** Query that each connection runs first. */
  readonly first?: string;
  /** Results that replace those of the server. */
  readonly answer?: (query: PostgresQuery) => unknown[] | undefined;
}

const fail = (error: unknown) => expect.fail(String(error));

function poolWith(change: Change): PostgresPool {
  const pool = new SessionPool(postgresUrl as string, 2, fail);
  const connect = async (): Promise<PostgresClient> => {
    const client = await pool.connect();
    if (change.first) await client.query({ text: change.first, values: [] });
    const query = async (query: PostgresQuery) => {
      const rows = change.answer?.(query);
      return rows ? { rows, rowCount: rows.length } : client.query(query);
    };
    return {
      query,
      batch: (queries) => client.batch(queries),
      discard: (error) => client.discard(error),
      waitForever: () => client.waitForever(),
      release: (destroy) => client.release(destroy),
    };
  };
  return {
    connect,
    share: async (use) => {
      const shared = await connect();
      return use(shared).finally(() => shared.release());
    },
    end: () => pool.end(),
  };
}

const SCHEMA = 'test_settings';

function openWith(change: Change) {
  return openPostgres({ pool: poolWith(change), schema: SCHEMA, report: fail });
}

const ABSENT = { url: 'postgres://127.0.0.1:1/none', schema: 'a', report: fail };

describe('opening a schema', () => {
  it.each(['Upper', 'a-b', 'a"b', '1a', '', 'a'.repeat(64)])('is refused if its name is %j', async (schema) => {
    await expect(openPostgres({ ...ABSENT, schema })).rejects.toThrow('cannot be the name of a schema');
  });

  it('fails with a clear message if there is no server', async () => {
    await expect(openPostgres(ABSENT)).rejects.toMatchObject({
      kind: 'unavailable',
      cause: { code: 'ECONNREFUSED' },
    });
  });
});

describe.skipIf(postgresUrl === undefined)('opening a schema of a server', () => {
  afterAll(() => dropSchema(String(postgresUrl), SCHEMA));

  it('is refused if the server may lose acknowledged writes', async () => {
    await expect(openWith({ first: `SET synchronous_commit = 'off'` })).rejects.toThrow('synchronous_commit is off');
    await (await openWith({ first: `SET synchronous_commit = 'on'` })).close();
  });

  it('makes the server end the idle sessions of a process that is suspended', async () => {
    const database = await openWith({});
    const timeout = sql<Record<string, never>, { name: string }>(
      "SELECT current_setting('idle_session_timeout') AS name",
    );
    expect(await database.one(timeout, {})).toEqual({ name: '20s' });
    await database.close();
  });

  it('is refused on a server that is too old', async () => {
    const answer = ({ text }: PostgresQuery) =>
      text.includes('server_version') ? [{ version: '14.21 (Debian)', synchronous_commit: 'on' }] : undefined;
    await expect(openWith({ answer })).rejects.toThrow('PostgreSQL 15 or newer is needed; this is 14.21');
  });

  it('is refused on a standby, which may not have received revocations yet', async () => {
    const answer = ({ text }: PostgresQuery) => (text.includes('pg_is_in_recovery') ? [{ standby: 1 }] : undefined);
    await expect(openWith({ answer })).rejects.toMatchObject({
      kind: 'unavailable',
      cause: { message: expect.stringContaining('is a standby') },
    });
  });

  it('fails with a clear message if the server refuses the login', async () => {
    const url = new URL('/none', postgresUrl).href;
    await expect(openPostgres({ url, schema: 'a', report: () => {} })).rejects.toMatchObject({
      kind: 'unavailable',
      cause: { message: 'database "none" does not exist' },
    });
  });

  it('can be done by several nodes at once', async () => {
    const databases = await Promise.all([1, 2, 3].map(async () => openWith({})));
    for (const database of databases) await database.run(sql('CREATE TABLE IF NOT EXISTS shared (id TEXT)'), {});
    expect(await databases[0]?.dynamic({ sql: 'SELECT current_schema() AS name', parameters: [] })).toEqual([
      { name: SCHEMA },
    ]);
    for (const database of databases) await database.close();
  });
});

describe.skipIf(postgresUrl === undefined)('a database on PostgreSQL', () => {
  let opened: TestDatabase;

  beforeEach(async () => {
    opened = await openTestDatabase('postgres');
    await opened.database.run(sql('CREATE TABLE entry (id TEXT PRIMARY KEY)'), {});
  });

  afterEach(() => opened.close());

  it.each(['40001', '40P01'])('retries work that failed with %s, even if the work wraps the error', async (state) => {
    const fail = sql(`DO $$ BEGIN RAISE EXCEPTION 'again' USING ERRCODE = '${state}'; END $$`);
    let attempts = 0;
    await opened.database.transaction(async (tx) => {
      await tx.run(sql<{ id: string }>('INSERT INTO entry VALUES (:id)'), { id: 'a' });
      if (++attempts === 3) return;
      await tx.run(fail, {}).catch(() => {
        throw new Error('in other words');
      });
    });
    expect(attempts).toBe(3);
    expect(await opened.database.all(sql('SELECT id FROM entry'), {})).toEqual([{ id: 'a' }]);
  });

  it('gives up on work that never succeeds', async () => {
    const fail = sql(`DO $$ BEGIN RAISE EXCEPTION 'again' USING ERRCODE = '40001'; END $$`);
    let attempts = 0;
    const work = opened.database.transaction(async (tx) => {
      attempts++;
      await tx.run(fail, {});
    });
    await expect(work).rejects.toMatchObject({ kind: 'unavailable' });
    expect(attempts).toBe(25);
    await expect(opened.database.run(fail, {})).rejects.toMatchObject({ kind: 'unavailable' });
  });

  it('continues after its connections were cut', async () => {
    const admin = new Client(postgresUrl);
    await admin.connect();
    const cut = () =>
      admin.query(
        `SELECT pg_terminate_backend(pid, 1000) FROM pg_stat_activity WHERE pid <> pg_backend_pid() AND query LIKE '%cut me%'`,
      );
    const marked = sql<Record<string, never>, { one: number }>('SELECT 1 AS one /* cut me */');
    const during = opened.database.transaction(async (tx) => {
      await tx.one(marked, {});
      await cut();
      await tx.one(one, {});
    });
    await expect(during).rejects.toMatchObject({ kind: 'unavailable' });
    expect(await opened.database.one(one, {})).toEqual({ one: 1 });
    await admin.end();
  });
});
