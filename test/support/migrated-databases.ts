import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { accessMigrations } from '../../src/access/index.ts';
import {
  type Database,
  type Dialect,
  migrate,
  openPostgres,
  openSqlite,
  postgresMigrations,
} from '../../src/storage/index.ts';
import { workspacesMigrations } from '../../src/workspaces/index.ts';
import { openTestDatabase, postgresUrl, report, type TestDatabase } from './databases.ts';

/** Whose tables a database has. */
export type Tables = 'access' | 'workspaces';

/** Of a database on a server: it is the test's alone. */
const SCHEMA = 'lockkeeper';

/**
 * A new database with these tables, and nothing in them. They are made once for the process; each test has a copy: of the file,
 * or by the template of a server. PGlite has neither.
 */
export async function openMigrated(kind: Dialect, ...tables: readonly Tables[]): Promise<TestDatabase> {
  if (kind === 'sqlite') return openCopyOfFile(tables);
  if (postgresUrl !== undefined) return openCopyOnServer(postgresUrl, tables);
  const opened = await openTestDatabase(kind);
  await migrateTo(opened.database, tables);
  return opened;
}

async function migrateTo(database: Database, tables: readonly Tables[]): Promise<void> {
  if (tables.includes('access')) {
    if (database.dialect === 'postgres') await migrate(database, 'storage', postgresMigrations);
    await migrate(database, 'access', accessMigrations);
  }
  if (tables.includes('workspaces')) await migrate(database, 'workspaces', workspacesMigrations);
}

/** By kind, and whose tables they have: the path of a file, or the name of a database. */
const templates = new Map<string, Promise<string>>();

function templateOf(kind: Dialect, tables: readonly Tables[], make: (key: string) => Promise<string>): Promise<string> {
  const key = [kind, ...tables].join('_');
  const made = templates.get(key) ?? make(key);
  templates.set(key, made);
  return made;
}

async function openCopyOfFile(tables: readonly Tables[]): Promise<TestDatabase> {
  const template = await templateOf('sqlite', tables, async () => {
    const folder = mkdtempSync(join(tmpdir(), 'lockkeeper-template-'));
    process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
    const file = join(folder, 'template.db');
    const database = await openSqlite({ file, report });
    await migrateTo(database, tables);
    await database.close();
    return file;
  });
  const folder = await mkdtemp(join(tmpdir(), 'lockkeeper-'));
  const file = join(folder, 'test.db');
  copyFileSync(template, file);
  const database = await openSqlite({ file, report });
  return {
    database,
    close: async () => {
      await database.close();
      await rm(folder, { recursive: true });
    },
  };
}

let copies = 0;

async function openCopyOnServer(url: string, tables: readonly Tables[]): Promise<TestDatabase> {
  const template = await templateOf('postgres', tables, async (key) => {
    const name = `template_${process.pid}_${key}`;
    await onServer(url, `CREATE DATABASE ${name}`);
    const database = await openPostgres({ url: inDatabase(url, name), schema: SCHEMA, poolSize: 1, report });
    await migrateTo(database, tables);
    await database.close();
    return name;
  });
  const name = `test_${process.pid}_${++copies}`;
  await onServer(url, `CREATE DATABASE ${name} TEMPLATE ${template}`);
  const database = await openPostgres({ url: inDatabase(url, name), schema: SCHEMA, poolSize: 4, report });
  return {
    database,
    close: async () => {
      await database.close();
      await onServer(url, `DROP DATABASE ${name} WITH (FORCE)`);
    },
  };
}

async function onServer(url: string, statement: string): Promise<void> {
  const client = new Client(url);
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}

function inDatabase(url: string, name: string): string {
  const inside = new URL(url);
  inside.pathname = `/${name}`;
  return inside.href;
}
