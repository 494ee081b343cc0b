import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Pool } from 'pg';
import { type Database, type Dialect, openPostgres, openSqlite } from '../../src/storage/index.ts';

/** URL of the PostgreSQL server of this test run (test/support/with-postgres.ts), if there is one. */
export const postgresUrl = process.env.LOCKKEEPER_TEST_POSTGRES;

/**
 * Databases for `describe.each(databaseKinds)(…)`. `npm test` runs a test on SQLite. `npm run test:postgres` runs the
 * files that name this list or `postgresUrl` again on a PostgreSQL server.
 */
export const databaseKinds: readonly Dialect[] = postgresUrl === undefined ? ['sqlite'] : ['postgres'];

export interface TestDatabase {
  readonly database: Database;
  /** File of an SQLite database; name of the schema on a PostgreSQL server. */
  readonly place: string;
  /** Closes the database and removes its data. */
  close(): Promise<void>;
}

/** Creates an empty database: a file in a temporary folder, or a schema on a server. */
export function openTestDatabase(kind: Dialect): Promise<TestDatabase> {
  if (kind === 'sqlite') return openFile();
  if (postgresUrl === undefined)
    throw new Error('PostgreSQL is missing: run the test with test/support/with-postgres.ts');
  return openSchemaOfServer(postgresUrl);
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

async function openSchemaOfServer(url: string): Promise<TestDatabase> {
  const schema = newSchema();
  return openSchema(url, schema, () => dropSchema(url, schema));
}

/** @param closed called when the database is closed */
export async function openSchema(url: string, schema: string, closed: () => Promise<void>): Promise<TestDatabase> {
  const database = await openPostgres({ url, schema, poolSize: 4, report });
  return {
    database,
    place: schema,
    close: async () => {
      await database.close();
      await closed();
    },
  };
}

/** Deletes the schema of a test with all of its tables. */
export async function dropSchema(url: string, schema: string): Promise<void> {
  const pool = new Pool({ connectionString: url, max: 1 });
  await pool.query(`DROP SCHEMA IF EXISTS "${schema}" CASCADE`);
  await pool.end();
}

let schemas = 0;

export function newSchema(): string {
  return `test_${process.pid}_${++schemas}`;
}

/** Errors of a connection in the background fail the test. */
export function report(error: unknown): void {
  throw error;
}

/** Returns the arguments with which another process opens the database. */
export async function placeOf(
  database: Database,
  kind: Dialect,
): Promise<[kind: string, target: string, schema: string]> {
  if (kind === 'sqlite') {
    const [main] = await database.dynamic<{ file: string }>({ sql: 'PRAGMA database_list', parameters: [] });
    return [kind, main?.file ?? '', ''];
  }
  const [row] = await database.dynamic<{ name: string }>({ sql: 'SELECT current_schema() AS name', parameters: [] });
  return [kind, postgresUrl ?? '', row?.name ?? ''];
}
