import { setTimeout as sleep } from 'node:timers/promises';
import { type Queries, type SchemaSession, sql } from '../database.ts';
import type { PostgresConnection } from './connection.ts';
import { isRetryable } from './errors.ts';

/** A statement that waits longer for a table blocks all that come after it. */
const LOCK_TIMEOUT = '3s';
/**
 * A backup or a report of somebody else may hold a transaction open for minutes.
 * @limit time for which the build of an index waits for transactions that others keep open, ms -> the server does not start
 */
const CONCURRENT_TIMEOUT = 600_000;
const LOCK_NOT_AVAILABLE = '55P03';
/** @limit attempts of a migration while other sessions use its tables, attempts -> the server does not start */
const ATTEMPTS = 60;
/** Milliseconds until the next attempt, and the interval at which the migration lock of other nodes is checked. */
const PAUSE = 500;
const LOOK = 50;

const SETTINGS = sql(`SELECT
  set_config('statement_timeout', '0', false),
  set_config('idle_in_transaction_session_timeout', '0', false),
  set_config('lock_timeout', '${LOCK_TIMEOUT}', false)`);
const setLockTimeout = sql<{ timeout: string }>("SELECT set_config('lock_timeout', :timeout, false)");
const take = sql<{ schema: string }, { taken: number }>(
  "SELECT pg_try_advisory_lock(hashtext('lockkeeper schema'), hashtext(:schema))::int AS taken",
);
const release = sql<{ schema: string }, unknown>(
  "SELECT pg_advisory_unlock(hashtext('lockkeeper schema'), hashtext(:schema))",
);

/** The caller must close the connection afterwards. */
export async function withSchemaSession<T>(
  connection: PostgresConnection,
  schema: string,
  work: (session: SchemaSession) => Promise<T>,
): Promise<T> {
  await connection.all(SETTINGS, {});
  // A query that waits would have a snapshot, and CREATE INDEX CONCURRENTLY of another node waits for old snapshots.
  while ((await connection.one(take, { schema }))?.taken !== 1) await sleep(LOOK);
  const result = await work({
    dialect: 'postgres',
    all: (statement, params) => connection.all(statement, params),
    one: (statement, params) => connection.one(statement, params),
    run: (statement, params) => connection.run(statement, params),
    dynamic: (query) => connection.dynamic(query),
    unit: (unit) => retrying(() => inUnit(connection, unit)),
    concurrently: async (statements) => {
      await connection.all(setLockTimeout, { timeout: `${CONCURRENT_TIMEOUT}ms` });
      await statements();
      await connection.all(setLockTimeout, { timeout: LOCK_TIMEOUT });
    },
  });
  await connection.one(release, { schema });
  return result;
}

/**
 * Runs a transaction as READ COMMITTED, so that a statement sees the data as it is once it has its locks, and not as it
 * was at the start.
 */
async function inUnit(connection: PostgresConnection, work: (queries: Queries) => Promise<void>): Promise<void> {
  await connection.command('BEGIN ISOLATION LEVEL READ COMMITTED');
  try {
    await work(connection);
    await connection.command('COMMIT');
  } catch (error) {
    await connection.command('ROLLBACK').catch(() => undefined);
    throw error;
  }
}

async function retrying(attempt: () => Promise<void>): Promise<void> {
  for (let attempts = 1; ; attempts++) {
    try {
      return await attempt();
    } catch (error) {
      const isTaken = (error as { code?: unknown }).code === LOCK_NOT_AVAILABLE;
      if (attempts === ATTEMPTS || !(isTaken || isRetryable(error))) throw error;
    }
    await sleep(PAUSE);
  }
}
