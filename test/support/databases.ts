import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Pool } from 'pg';
import { type Database, type Dialect, openPostgres, openSqlite } from '../../src/storage/index.ts';
import { pglitePool } from './pglite.ts';

/** URL of a PostgreSQL server that replaces PGlite (test/support/with-postgres.ts). */
export const postgresUrl = process.env.LOCKKEEPER_TEST_POSTGRES;

/** Databases for `describe.each(databaseKinds)(…)`: PostgreSQL if a server is configured, else SQLite. */
export const databaseKinds: readonly Dialect[] = postgresUrl === undefined ? ['sqlite'] : ['postgres'];

/**
 * Like `databaseKinds`, and PGlite if no PostgreSQL server is configured. PGlite is slow: use it for the storage
 * contract and one path through each store, so that errors with PostgreSQL show without a server.
 */
export const everyDatabase: readonly Dialect[] = postgresUrl === undefined ? ['sqlite', 'postgres'] : ['postgres'];

export interface TestDatabase {
  readonly database: Database;
  /** File of an SQLite database; name of the schema on a PostgreSQL server. Undefined for PGlite. */
  readonly place: string | undefined;
  /** Closes the database and removes its data. */
  close(): Promise<void>;
}

/** Creates an empty database: a file in a temporary folder, or a schema on a server. */
export function openTestDatabase(kind: Dialect): Promise<TestDatabase> {
  if (kind === 'sqlite') return openFile();
  return postgresUrl === undefined ? openSchemaOfPglite() : openSchemaOfServer(postgresUrl);
}

async function openFile(): Promise<TestDatabase> {
  const folder = await mkdtemp(join(tmpdir(), 'lockkeeper-'));
  const file = join(folder, 'test.db');
  const database = await openSqlite({ file, report });
  return {
    database,
    place: file,
    close: async () => {
      await database.close();
      await rm(folder, { recursive: true });
    },
  };
}

async function openSchemaOfPglite(): Promise<TestDatabase> {
  const database = await openPostgres({ pool: await pglitePool(), schema: newSchema(), report });
  return { database, place: undefined, close: () => database.close() };
}

async function openSchemaOfServer(url: string): Promise<TestDatabase> {
  const schema = newSchema();
  const database = await openPostgres({ url, schema, poolSize: 4, report });
  return {
    database,
    place: schema,
    close: async () => {
      await database.close();
      await dropSchema(url, schema);
    },
  };
}

/** Returns whether a PostgreSQL server is configured. */
export async function dropSchema(url: string, schema: string): Promise<void> {
  const pool = new Pool({ connectionString: url, max: 1 });
  await pool.query(`DROP SCHEMA IF EXISTS "${schema}" CASCADE`);
  await pool.end();
}

let schemas = 0;

function newSchema(): string {
  return `test_${process.pid}_${++schemas}`;
}

/** Errors of a connection in the background fail the test. */
export function report(error: unknown): void {
  throw error;
}
