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
import { isRetryable, translate } from './postgres/errors.ts';
import type { PoolMetrics, PostgresClient, PostgresPool } from './postgres/pool.ts';
import { withSchemaSession } from './postgres/schema-session.ts';
import { SessionPool } from './postgres/session-pool.ts';
import type { Migration } from './schema/migration.ts';
import { refuseInsideUnitOfWork, UnitOfWork } from './unit-of-work.ts';

const OLDEST_POSTGRES = 15;
/** @limit tries of a unit of work that others were in the way of, tries -> 503 */
const ATTEMPTS = 25;
/** Failed tries after which a unit of work waits for the others that have failed as often, and has only newer ones in its way. */
const FAILURES_BEFORE_LOCK = 3;
/**
 * Milliseconds between two attempts, at most.
 * @limit the pause between two tries, ms -> the next try
 */
const LONGEST_PAUSE = 100;
/**
 * Milliseconds that a unit of work may take altogether, waiting for locks included.
 * @limit a unit of work, waiting included, ms -> 503
 */
const UNIT_DEADLINE = 60_000;
/**
 * A session that is idle for longer than the pool keeps one belongs to a process that stands still, and may have the turn of all others.
 * A standby would let in by what it has not heard of yet.
 */
const SESSION_SETTINGS = `SELECT pg_is_in_recovery() AS standby,
  set_config('idle_session_timeout', '20s', false),
  set_config('search_path', $1, false),
  set_config('default_transaction_isolation', 'serializable', false),
  set_config('statement_timeout', '30s', false),
  set_config('idle_in_transaction_session_timeout', '5s', false)`;

/** `url`: `postgres://user@host/database`. */
type Server = { readonly url: string; readonly poolSize?: number } | { readonly pool: PostgresPool };

export type PostgresOptions = Server & {
  /** Lower-case letters, digits and underscores. Created when it is absent. */
  readonly schema: string;
  /** One that is absent is an error then. */
  readonly mustExist?: true;
  /** Told of what fails beside any request: an after-commit hook, an idle connection. */
  readonly report: (error: unknown) => void;
};

/**
 * Opens a schema of a PostgreSQL database. Everything runs SERIALIZABLE, as it does on SQLite; what fails for that reason
 * is tried again.
 * @throws StorageError when the server's version or settings will not do.
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
      'synchronous_commit is off: acknowledged writes could be lost. Set it to on for our user or database',
    );
  }
}

const schemaCount = sql<{ schema: string }, { count: number }>(
  'SELECT count(*) AS count FROM pg_catalog.pg_namespace WHERE nspname = :schema',
);

/** Looks first: our user may lack the right to create a schema that an administrator has created for us. */
async function createSchema(database: Database, schema: string, mustExist = false): Promise<void> {
  const exists = async () => ((await database.one(schemaCount, { schema }))?.count ?? 0) > 0;
  if (await exists()) return;
  if (mustExist) throw new StorageError(`there is no schema ${schema} in the database: run lockkeeper init`);
  try {
    await database.run(sql(`CREATE SCHEMA "${schema}"`), {});
  } catch (error) {
    // Another node was quicker.
    if (!(await exists())) throw error;
  }
}

/** The table that `check` writes to; whose turn the background work is. */
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

// A lock of the session, not of the transaction, which would have its snapshot before it has the lock.
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
    unit.runHooks(this.#report);
    return result;
  }

  /** Where others are in the way again and again it takes its turn like any other unit of work. */
  async batch<const Steps extends readonly Step<unknown>[]>(steps: Steps): Promise<StepRows<Steps>> {
    refuseInsideUnitOfWork();
    const all = (tx: Transaction) => Promise.all(steps.map(({ statement, params }) => tx.all(statement, params)));
    const { result } = await this.#unit(all, () =>
      this.#alone(async (client) => ({ result: await (await this.#connection(client)).batch(steps) })),
    );
    return result as StepRows<Steps>;
  }

  /** The session ends with it: its settings are its own. */
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

  /** What changes nothing waits for nobody: it shares a connection. */
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

  /** Whoever waits for the turn has no connection meanwhile, but for one of each node. */
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

  /** In turn, or among all others. */
  async #perform<T>(work: (tx: Transaction) => Promise<T>, inTurn: boolean): Promise<{ result: T; unit: UnitOfWork }> {
    const client = await this.#pool.connect();
    const connection = new PostgresConnection(client, this.#names);
    const unit = new UnitOfWork(connection);
    const late = databaseUnavailable(new Error(`a unit of work took longer than ${UNIT_DEADLINE / 1000} s`));
    const endsTurn = async () => !inTurn || succeeds(connection.one(endTurn, { schema: this.#schema }));
    try {
      if (!this.#ready.has(client)) await this.#makeReady(client);
      if (inTurn) await connection.one(takeTurn, { schema: this.#schema });
      const begun = connection.command('BEGIN');
      const committed = unit.performAndCommit(work, () => connection.command('COMMIT'));
      const [result] = await before(UNIT_DEADLINE, late, Promise.all([committed, begun]));
      client.release(!(await endsTurn()));
      return { result, unit };
    } catch (error) {
      unit.end();
      const clean = error !== late && (await succeeds(connection.command('ROLLBACK'))) && (await endsTurn());
      client.release(!clean);
      // The work may have put it in other words.
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
        throw new Error('the server is a standby; we need the one that leads');
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
