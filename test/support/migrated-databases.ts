import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { accessMigrations } from '../../src/access/index.ts';
import { type Database, type Dialect, migrate, openSqlite, postgresMigrations } from '../../src/storage/index.ts';
import { workspacesMigrations } from '../../src/workspaces/index.ts';
import {
  dropSchema,
  newSchema,
  openSchema,
  openTestDatabase,
  postgresUrl,
  report,
  type TestDatabase,
} from './databases.ts';
import { scriptFor } from './postgres/schema-script.ts';
import { fill, renew, type UsedSchema } from './postgres/used-schemas.ts';

/** API whose tables a database has. */
export type Tables = 'access' | 'workspaces';

/**
 * Creates a database with these tables and no rows. On SQLite the process runs the migrations once, and each test gets
 * a copy of the file. On PostgreSQL, where new tables take half a second of CPU time, a test gets the schema of an
 * earlier test of its process without its rows, or else a script creates the tables of the migrations.
 */
export async function openMigrated(kind: Dialect, ...tables: readonly Tables[]): Promise<TestDatabase> {
  if (kind === 'sqlite') return openCopy(tables);
  if (postgresUrl === undefined) return openTestDatabase(kind);
  const key = tables.join('-');
  const schema = (await renewedSchema(postgresUrl, key)) ?? (await filledSchema(postgresUrl, key, tables));
  return openSchema(postgresUrl, schema.name, async () => void schemasFor(key).set(schema.name, schema));
}

/** Schemas of closed databases, by set of tables and name. */
const used = new Map<string, Map<string, UsedSchema>>();

function schemasFor(key: string): Map<string, UsedSchema> {
  const schemas = used.get(key) ?? new Map<string, UsedSchema>();
  used.set(key, schemas);
  return schemas;
}

/** Returns undefined if there is no schema of which a test has changed only the rows. */
async function renewedSchema(url: string, key: string): Promise<UsedSchema | undefined> {
  const schemas = schemasFor(key);
  for (const schema of schemas.values()) {
    schemas.delete(schema.name);
    if (await renew(url, schema)) return schema;
    await dropSchema(url, schema.name);
  }
  return undefined;
}

async function filledSchema(url: string, key: string, tables: readonly Tables[]): Promise<UsedSchema> {
  const name = newSchema();
  return fill(url, name, await scriptFor(url, name, key, () => migratedSchema(tables)));
}

/** Creates a schema by the migrations and returns its name. It stays until the server stops. */
async function migratedSchema(tables: readonly Tables[]): Promise<string> {
  const { database, place } = await openTestDatabase('postgres');
  await makeTables(database, tables);
  await database.close();
  return place;
}

async function makeTables(database: Database, tables: readonly Tables[]): Promise<void> {
  if (tables.includes('access')) {
    if (database.dialect === 'postgres') await migrate(database, 'storage', postgresMigrations);
    await migrate(database, 'access', accessMigrations);
  }
  if (tables.includes('workspaces')) await migrate(database, 'workspaces', workspacesMigrations);
}

async function openCopy(tables: readonly Tables[]): Promise<TestDatabase> {
  const template = await templateWith(tables);
  const folder = await mkdtemp(join(tmpdir(), 'lockkeeper-'));
  const file = join(folder, 'test.db');
  copyFileSync(template, file);
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

/** Migrated files, by API. */
const templates = new Map<string, Promise<string>>();

function templateWith(tables: readonly Tables[]): Promise<string> {
  const key = tables.join(' ');
  const template = templates.get(key) ?? makeTemplate(tables);
  templates.set(key, template);
  return template;
}

async function makeTemplate(tables: readonly Tables[]): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'lockkeeper-template-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, 'template.db');
  const database = await openSqlite({ file, report });
  await makeTables(database, tables);
  await database.close();
  return file;
}
