import { setTimeout as sleep } from 'node:timers/promises';
import {
  type Database,
  type DynamicQuery,
  type Migration,
  type Params,
  type Queries,
  type Statement,
  sql,
  type Transaction,
} from './database.ts';
import { databaseUnavailable, StorageError } from './errors.ts';
import { PostgresConnection, PreparedNames } from './postgres/connection.ts';
import { isRetryable, translate } from './postgres/errors.ts';
import { createPool, type PostgresClient, type PostgresPool } from './postgres/pool.ts';
import { refuseInsideUnitOfWork, UnitOfWork } from './unit-of-work.ts';

const OLDEST_POSTGRES = 15;
/** @limit tries of a unit of work that others were in the way of, tries -> 503 */
const ATTEMPTS = 25;
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
const SESSION_SETTINGS = `SELECT
  set_config('search_path', $1, false),
  set_config('default_transaction_isolation', 'serializable', false),
  set_config('statement_timeout', '30s', false),
  set_config('idle_in_transaction_session_timeout', '5s', false)`;

/** `url`: `postgres://user@host/database`. */
type Server = { readonly url: string; readonly poolSize?: number } | { readonly pool: PostgresPool };

export type PostgresOptions = Server & {
  /** Lower-case letters, digits and underscores. Created when it is absent. */
  readonly schema: string;
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
  const pool = 'pool' in options ? options.pool : createPool(options.url, options.poolSize ?? 10, report);
  const database = new PostgresDatabase(pool, schema, report);
  try {
    await assertServer(database);
    await createSchema(database, schema);
    return database;
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
async function createSchema(database: Database, schema: string): Promise<void> {
  const exists = async () => ((await database.one(schemaCount, { schema }))?.count ?? 0) > 0;
  if (await exists()) return;
  try {
    await database.run(sql(`CREATE SCHEMA "${schema}"`), {});
  } catch (error) {
    // Another node was quicker.
    if (!(await exists())) throw error;
  }
}

/** The table that `check` writes to. */
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
];

const touch = sql<{ now: number }>(
  `INSERT INTO write_check (id, written_at) VALUES (1, :now)
   ON CONFLICT (id) DO UPDATE SET written_at = excluded.written_at`,
);

class PostgresDatabase implements Database {
  readonly dialect = 'postgres';
  readonly #pool: PostgresPool;
  readonly #schema: string;
  readonly #report: (error: unknown) => void;
  readonly #names = new PreparedNames();
  readonly #ready = new WeakSet<PostgresClient>();

  constructor(pool: PostgresPool, schema: string, report: (error: unknown) => void) {
    this.#pool = pool;
    this.#schema = schema;
    this.#report = report;
  }

  revision(): undefined {
    return undefined;
  }

  all<P extends Params, R>(statement: Statement<P, R>, params: P): Promise<R[]> {
    return this.#query((queries) => queries.all(statement, params));
  }

  one<P extends Params, R>(statement: Statement<P, R>, params: P): Promise<R | undefined> {
    return this.#query((queries) => queries.one(statement, params));
  }

  run<P extends Params, R>(statement: Statement<P, R>, params: P): Promise<number> {
    return this.#query((queries) => queries.run(statement, params));
  }

  dynamic<R>(query: DynamicQuery): Promise<R[]> {
    return this.#query((queries) => queries.dynamic(query));
  }

  async transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    refuseInsideUnitOfWork();
    const { result, unit } = await retrying(() => this.#perform(work));
    unit.runHooks(this.#report);
    return result;
  }

  async check(): Promise<void> {
    await this.run(touch, { now: Date.now() });
  }

  async close(): Promise<void> {
    await this.#pool.end();
  }

  async #query<T>(action: (queries: Queries) => Promise<T>): Promise<T> {
    refuseInsideUnitOfWork();
    return retrying(async () => {
      const client = await this.#connect();
      try {
        return await action(new PostgresConnection(client, this.#names));
      } finally {
        client.release();
      }
    });
  }

  async #perform<T>(work: (tx: Transaction) => Promise<T>): Promise<{ result: T; unit: UnitOfWork }> {
    const client = await this.#connect();
    const connection = new PostgresConnection(client, this.#names);
    const unit = new UnitOfWork(connection);
    const late = new Error(`a unit of work took longer than ${UNIT_DEADLINE / 1000} s, and was rolled back`);
    try {
      await connection.command('BEGIN');
      const result = await before(UNIT_DEADLINE, late, unit.perform(work));
      await connection.command('COMMIT');
      client.release();
      return { result, unit };
    } catch (error) {
      unit.end();
      const clean = error !== late && (await succeeds(connection.command('ROLLBACK')));
      client.release(!clean);
      // The work may have put it in other words.
      throw isRetryable(unit.failure) ? unit.failure : error;
    }
  }

  async #connect(): Promise<PostgresClient> {
    try {
      const client = await this.#pool.connect();
      if (!this.#ready.has(client)) await this.#makeReady(client);
      return client;
    } catch (error) {
      throw translate(error);
    }
  }

  async #makeReady(client: PostgresClient): Promise<void> {
    try {
      await client.query({ text: SESSION_SETTINGS, values: [`"${this.#schema}"`] });
      this.#ready.add(client);
    } catch (error) {
      client.release(true);
      throw error;
    }
  }
}

async function retrying<T>(attempt: () => Promise<T>): Promise<T> {
  for (let attempts = 1; ; attempts++) {
    try {
      return await attempt();
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

function succeeds(action: Promise<void>): Promise<boolean> {
  return action.then(
    () => true,
    () => false,
  );
}
