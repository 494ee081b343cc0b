import { setTimeout as sleep } from 'node:timers/promises';
import { leaseMigration } from './background-lease.ts';
import {
  type Database,
  type DynamicQuery,
  type Params,
  type Queries,
  type SchemaSession,
  type Statement,
  type Step,
  type StepRows,
  sql,
  type Transaction,
} from './database.ts';
import { databaseUnavailable, StorageError } from './errors.ts';
import { FencedDatabase } from './fence.ts';
import { Mutex } from './mutex.ts';
import { PostgresConnection, PreparedNames } from './postgres/connection.ts';
import { isRetryable, provesRollback, translate } from './postgres/errors.ts';
import type { PoolMetrics, PostgresClient, PostgresPool } from './postgres/pool.ts';
import { withSchemaSession } from './postgres/schema-session.ts';
import { SessionPool } from './postgres/session-pool.ts';
import type { Migration } from './schema/migration.ts';
import { refuseInsideUnitOfWork, UnitOfWork } from './unit-of-work.ts';

const OLDEST_POSTGRES = 15;
/** @limit attempts of a transaction with serialization failures, attempts -> 503 */
const ATTEMPTS = 25;
/**
 * After this many serialization failures a transaction takes an advisory lock, so that it competes only with
 * transactions that start later.
 */
const FAILURES_BEFORE_LOCK = 3;
/**
 * Maximum delay between two attempts, milliseconds.
 * @limit delay before a transaction is retried, ms -> the next attempt starts
 */
const LONGEST_PAUSE = 100;
/**
 * Maximum total duration of a transaction, milliseconds, waiting for locks included.
 * @limit duration of a transaction, including waits, ms -> 503
 */
const UNIT_DEADLINE = 60_000;
/**
 * Settings of a session. One that is idle for longer than the pool keeps connections belongs to a suspended process,
 * which may hold the advisory lock of all others. A standby is detected because it may lack recent revocations.
 */
const SESSION_SETTINGS = `SELECT pg_is_in_recovery() AS standby,
  set_config('idle_session_timeout', '20s', false),
  set_config('search_path', $1, false),
  set_config('default_transaction_isolation', 'serializable', false),
  set_config('statement_timeout', '30s', false),
  set_config('idle_in_transaction_session_timeout', '5s', false)`;

/** Connection URL, such as `postgres://user@host/database`. */
type Server = { readonly url: string; readonly poolSize?: number } | { readonly pool: PostgresPool };

export type PostgresOptions = Server & {
  /** Lower-case letters, digits and underscores. The schema is created if it does not exist. */
  readonly schema: string;
  /** Whether a missing schema is an error. */
  readonly mustExist?: true;
  /** Called with errors outside of any request, such as those of an after-commit hook or an idle connection. */
  readonly report: (error: unknown) => void;
};

/**
 * Opens a schema of a PostgreSQL database. All transactions are SERIALIZABLE, as on SQLite, and serialization failures
 * are retried.
 * @throws StorageError if the server's version or settings are not supported
 */
export async function openPostgres(options: PostgresOptions): Promise<Database> {
  const { schema, report } = options;
  if (!/^[a-z_][a-z0-9_]{0,62}$/.test(schema)) throw new StorageError(`${schema} cannot be the name of a schema`);
  const pool = 'pool' in options ? options.pool : new SessionPool(options.url, options.poolSize ?? 10, report);
  const database = new PostgresDatabase(pool, schema, report);
  try {
    await assertServer(database);
    await createSchema(database, schema, options.mustExist);
    return new FencedDatabase(database);
  } catch (error) {
    await database.close();
    throw error;
  }
}

const serverSettings = sql<Record<string, never>, { version: string; synchronous_commit: string }>(
  `SELECT current_setting('server_version') AS version, current_setting('synchronous_commit') AS synchronous_commit`,
);

async function assertServer(database: Database): Promise<void> {
  const settings = await database.one(serverSettings, {});
  if (Number.parseInt(settings?.version ?? '', 10) < OLDEST_POSTGRES) {
    throw new StorageError(`PostgreSQL ${OLDEST_POSTGRES} or newer is needed; this is ${settings?.version}`);
  }
  if (settings?.synchronous_commit === 'off') {
    throw new StorageError(
      'synchronous_commit is off: acknowledged writes could be lost. Set it to on for the user or database',
    );
  }
}

const schemaCount = sql<{ schema: string }, { count: number }>(
  'SELECT count(*) AS count FROM pg_catalog.pg_namespace WHERE nspname = :schema',
);

/** Checks first whether the schema exists, because the database user may lack the right to create one. */
async function createSchema(database: Database, schema: string, mustExist = false): Promise<void> {
  const exists = async () => ((await database.one(schemaCount, { schema }))?.count ?? 0) > 0;
  if (await exists()) return;
  if (mustExist) throw new StorageError(`there is no schema ${schema} in the database: run lockkeeper init`);
  try {
    await database.run(sql(`CREATE SCHEMA "${schema}"`), {});
  } catch (error) {
    // Another node has created the schema meanwhile.
    if (!(await exists())) throw error;
  }
}

/** The table of readiness checks, and that of the leader lease. */
export const postgresMigrations: readonly Migration[] = [
  {
    name: '0001-write-check',
    statements: ({ integer, tableOptions }) => [
      `CREATE TABLE write_check (
        id ${integer} PRIMARY KEY CHECK (id = 1),
        written_at ${integer} NOT NULL
      ) ${tableOptions}`,
    ],
  },
  leaseMigration,
];

const touch = sql<{ now: number }>(
  `INSERT INTO write_check (id, written_at) VALUES (1, :now)
   ON CONFLICT (id) DO UPDATE SET written_at = excluded.written_at`,
);

// A session lock, because a transaction would have its snapshot before the lock.
const takeTurn = sql<{ schema: string }, unknown>("SELECT pg_advisory_lock(hashtext('lockkeeper ' || :schema))");
const endTurn = sql<{ schema: string }, unknown>("SELECT pg_advisory_unlock(hashtext('lockkeeper ' || :schema))");

class PostgresDatabase implements Database {
  readonly dialect = 'postgres';
  readonly #pool: PostgresPool;
  readonly #schema: string;
  readonly #report: (error: unknown) => void;
  readonly #names = new PreparedNames();
  readonly #turn = new Mutex();
  readonly #ready = new WeakSet<PostgresClient>();

  constructor(pool: PostgresPool, schema: string, report: (error: unknown) => void) {
    this.#pool = pool;
    this.#schema = schema;
    this.#report = report;
  }

  reading(): undefined {
    return undefined;
  }

  follow(): void {}

  all<P extends Params, R>(statement: Statement<P, R>, params: P): Promise<R[]> {
    return this.#single(statement.writes, (queries) => queries.all(statement, params));
  }

  one<P extends Params, R>(statement: Statement<P, R>, params: P): Promise<R | undefined> {
    return this.#single(statement.writes, (queries) => queries.one(statement, params));
  }

  run<P extends Params, R>(statement: Statement<P, R>, params: P): Promise<number> {
    return this.#single(statement.writes, (queries) => queries.run(statement, params));
  }

  dynamic<R>(query: DynamicQuery): Promise<R[]> {
    return this.#query(
      (use) => this.#pool.share(use, 'long'),
      (queries) => queries.dynamic(query),
    );
  }

  async transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    refuseInsideUnitOfWork();
    const { result, unit } = await this.#unit(work, () => this.#perform(work, false));
    unit.committed(this.#report);
    return result;
  }

  /** Takes the advisory lock like any other transaction after repeated serialization failures. */
  async batch<const Steps extends readonly Step<unknown>[]>(steps: Steps): Promise<StepRows<Steps>> {
    refuseInsideUnitOfWork();
    const all = (tx: Transaction) => Promise.all(steps.map(({ statement, params }) => tx.all(statement, params)));
    const { result } = await this.#unit(all, () =>
      this.#alone(async (client) => ({ result: await (await this.#connection(client)).batch(steps) })),
    );
    return result as StepRows<Steps>;
  }

  /** Closes the session afterwards, because it has its own settings. */
  async changeSchema<T>(work: (session: SchemaSession) => Promise<T>): Promise<T> {
    refuseInsideUnitOfWork();
    const client = await this.#pool.connect();
    client.waitForever();
    try {
      return await withSchemaSession(await this.#connection(client), this.#schema, work);
    } finally {
      client.release(true);
    }
  }

  async check(): Promise<void> {
    await this.run(touch, { now: Date.now() });
  }

  connections(): PoolMetrics | undefined {
    return this.#pool.metrics?.();
  }

  async close(): Promise<void> {
    await this.#pool.end();
  }

  /** A read-only statement shares a connection with others. */
  #single<T>(writes: boolean, action: (queries: Queries) => Promise<T>): Promise<T> {
    if (writes) return this.#query((use) => this.#alone(use), action);
    return this.#query((use) => this.#pool.share(use, 'brief'), action);
  }

  async #query<T>(
    withClient: (use: (client: PostgresClient) => Promise<T>) => Promise<T>,
    action: (queries: Queries) => Promise<T>,
  ): Promise<T> {
    refuseInsideUnitOfWork();
    return retrying(() => withClient(async (client) => action(await this.#connection(client))));
  }

  async #alone<T>(use: (client: PostgresClient) => Promise<T>): Promise<T> {
    const client = await this.#pool.connect();
    try {
      return await use(client);
    } finally {
      client.release();
    }
  }

  /** While a transaction waits for the advisory lock it holds no connection, except one on each node. */
  #unit<T, U extends { readonly result: T }>(
    work: (tx: Transaction) => Promise<T>,
    first: () => Promise<U>,
  ): Promise<U | { readonly result: T; readonly unit: UnitOfWork }> {
    return retrying(async (failures) => {
      if (failures <= FAILURES_BEFORE_LOCK) return first();
      await this.#turn.acquire();
      return this.#perform(work, true).finally(() => this.#turn.release());
    });
  }

  /** Runs one attempt of a transaction. With `inTurn`, it runs under the advisory lock. */
  async #perform<T>(work: (tx: Transaction) => Promise<T>, inTurn: boolean): Promise<{ result: T; unit: UnitOfWork }> {
    const client = await this.#pool.connect();
    const connection = new PostgresConnection(client, this.#names);
    const unit = new UnitOfWork(connection);
    const late = databaseUnavailable(new Error(`a transaction took longer than ${UNIT_DEADLINE / 1000} s`));
    let isCommitting = false;
    const endsTurn = async () => !inTurn || succeeds(connection.one(endTurn, { schema: this.#schema }));
    try {
      if (!this.#ready.has(client)) await this.#makeReady(client);
      if (inTurn) await connection.one(takeTurn, { schema: this.#schema });
      const begun = connection.command('BEGIN');
      const committed = unit.performAndCommit(work, () => {
        isCommitting = true;
        return connection.command('COMMIT');
      });
      const [result] = await before(UNIT_DEADLINE, late, Promise.all([committed, begun]));
      client.release(!(await endsTurn()));
      return { result, unit };
    } catch (error) {
      unit.end();
      const clean = error !== late && (await succeeds(connection.command('ROLLBACK'))) && (await endsTurn());
      client.release(!clean);
      if (!isCommitting || provesRollback(error) || provesRollback(unit.failure)) unit.rolledBack(this.#report);
      // The work may have wrapped the error.
      throw isRetryable(unit.failure) ? unit.failure : error;
    }
  }

  async #connection(client: PostgresClient): Promise<PostgresConnection> {
    if (!this.#ready.has(client)) await this.#makeReady(client);
    return new PostgresConnection(client, this.#names);
  }

  async #makeReady(client: PostgresClient): Promise<void> {
    try {
      const { rows } = await client.query({ text: SESSION_SETTINGS, values: [`"${this.#schema}"`] });
      if ((rows[0] as { standby?: number }).standby === 1)
        throw new Error('the server is a standby; connect to the primary');
      this.#ready.add(client);
    } catch (error) {
      client.discard(error);
      throw translate(error);
    }
  }
}

async function retrying<T>(attempt: (failures: number) => Promise<T>): Promise<T> {
  for (let attempts = 1; ; attempts++) {
    try {
      return await attempt(attempts - 1);
    } catch (error) {
      if (!isRetryable(error)) throw error;
      if (attempts === ATTEMPTS) throw databaseUnavailable(error);
    }
    await sleep(Math.random() * Math.min(2 ** attempts, LONGEST_PAUSE));
  }
}

async function before<T>(milliseconds: number, late: Error, work: Promise<T>): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(late), milliseconds);
  return Promise.race([work, promise]).finally(() => clearTimeout(timer));
}

function succeeds(action: Promise<unknown>): Promise<boolean> {
  return action.then(
    () => true,
    () => false,
  );
}
