import { DatabaseSync } from 'node:sqlite';
import { accessMigrations } from '../../../src/access/index.ts';
import { sealedColumns } from '../../../src/composition/databases.ts';
import {
  Blobs,
  type Database,
  FileBlobs,
  type Keyring,
  type Migration,
  openKeyring,
  openPostgres,
  openSqlite,
  type SqlValue,
  sql,
} from '../../../src/storage/index.ts';
import { COLUMN_TYPES } from '../../../src/storage/schema/migration.ts';
import { workspacesMigrations } from '../../../src/workspaces/index.ts';
import { postgresUrl, report } from '../../support/databases.ts';
import type { Site } from '../../support/machine/site.ts';

/** A moment that no background task reaches. */
const LATER = Date.parse('2100-01-01T00:00:00Z');
/** Bytes of a secret before they are encrypted. */
const SECRET = Buffer.from('secret');

const SETS = [
  ['access', accessMigrations],
  ['workspaces', workspacesMigrations],
] as const;

interface Column {
  readonly name: string;
  readonly type: string;
  readonly notnull: number;
  readonly pk: number;
  readonly dflt_value: string | null;
}

interface Reference {
  readonly from: string;
  readonly table: string;
  readonly to: string;
}

/** A row to insert. A value is taken from another table, or is given. */
interface NewRow {
  readonly table: string;
  readonly columns: readonly Column[];
  readonly references: readonly Reference[];
}

/**
 * Inserts a row into each table that has none, because an upgrade must also keep rows that no request creates in a
 * moment. The server must not run.
 */
export async function fillEmptyTables(site: Site): Promise<void> {
  const keyring = await openKeyring({ file: site.at('keyring.json') });
  for (const [store, migrations] of SETS)
    await withDatabase(site, store, async (database) => {
      for (const row of newRows(migrations))
        if (await isEmpty(database, row.table)) await insert(database, keyring, row);
    });
}

/** Returns the names of the tables without rows. The server must not run. */
export async function emptyTables(site: Site): Promise<string[]> {
  const empty: string[] = [];
  for (const [store, migrations] of SETS)
    await withDatabase(site, store, async (database) => {
      for (const name of tablesIn(catalogOf(migrations))) if (await isEmpty(database, name)) empty.push(name);
    });
  return empty;
}

async function withDatabase(site: Site, store: string, work: (database: Database) => Promise<void>): Promise<void> {
  const database =
    site.kind === 'sqlite'
      ? await openSqlite({ file: site.at('data', `${store}.db`), report })
      : await openPostgres({ url: postgresUrl ?? '', schema: site.schema, poolSize: 1, report });
  await work(database).finally(() => database.close());
}

/** Returns whether the database has the table, which may exist in one dialect only, without rows. */
async function isEmpty(database: Database, table: string): Promise<boolean> {
  const exists = `SELECT to_regclass('${table}')::text AS name`;
  if (database.dialect === 'postgres') {
    const [found] = await database.dynamic<{ name: string | null }>({ sql: exists, parameters: [] });
    if (found?.name == null) return false;
  }
  return (await database.dynamic({ sql: `SELECT 1 FROM ${table} LIMIT 1`, parameters: [] })).length === 0;
}

/** Rows for all tables, from the catalog of SQLite. Each comes after those that it refers to. */
function newRows(migrations: readonly Migration[]): NewRow[] {
  const database = catalogOf(migrations);
  const names = tablesIn(database);
  const all = <T>(pragma: string) => database.prepare(`PRAGMA ${pragma}`).all() as unknown as T[];
  const references = new Map(names.map((name) => [name, all<Reference>(`foreign_key_list(${name})`)]));
  const ordered: string[] = [];
  const visit = (name: string, path: readonly string[]) => {
    if (ordered.includes(name) || path.includes(name)) return;
    for (const { table } of references.get(name) ?? []) visit(table, [...path, name]);
    ordered.push(name);
  };
  for (const name of names) visit(name, []);
  return ordered.map((table) => ({
    table,
    columns: all<Column>(`table_info(${table})`),
    references: references.get(table) ?? [],
  }));
}

function catalogOf(migrations: readonly Migration[]): DatabaseSync {
  const database = new DatabaseSync(':memory:', { enableForeignKeyConstraints: false });
  for (const migration of migrations)
    if ('statements' in migration)
      for (const statement of migration.statements(COLUMN_TYPES.sqlite)) database.exec(statement);
  return database;
}

function tablesIn(database: DatabaseSync): string[] {
  const tables = "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite%' ORDER BY name";
  const rows = database.prepare(tables).all();
  return rows.map(({ name }) => String(name));
}

async function insert(database: Database, keyring: Keyring, { table, columns, references }: NewRow): Promise<void> {
  // The database numbers changes.
  const written = columns.filter(
    ({ name, notnull, pk, dflt_value }) =>
      (notnull === 1 || pk > 0) && dflt_value === null && `${table}.${name}` !== 'change.number',
  );
  const values: Record<string, SqlValue> = {};
  for (const { name, type, pk } of written.toSorted((a, b) => Number(a.type === 'BLOB') - Number(b.type === 'BLOB'))) {
    const reference = references.find(({ from }) => from === name) ?? IMPLIED[name];
    if (reference) values[name] = await newest(database, reference);
    else if (type === 'BLOB') values[name] = await secret(database, keyring, table, name, values);
    else if (type === 'INTEGER') values[name] = pk > 0 ? 1 : /_at$|^deadline$/.test(name) ? LATER : 0;
    // Texts are JSON, because some columns are.
    else values[name] = pk > 0 || /^(?:id|hash|key|.*_id)$/.test(name) ? `one-${table}` : '{}';
  }
  const names = Object.keys(values);
  const into = `INSERT INTO ${table} (${names.join(', ')}) VALUES (${names.map((name) => `:${name}`).join(', ')})`;
  await database.run(sql<Record<string, SqlValue>>(into), values);
}

/** References without a constraint. */
const IMPLIED: Readonly<Record<string, Pick<Reference, 'table' | 'to'>>> = {
  organization_id: { table: 'organization', to: 'id' },
};

async function newest(database: Database, { table, to }: Pick<Reference, 'table' | 'to'>): Promise<SqlValue> {
  const query = `SELECT max(${to}) AS value FROM ${table}`;
  const [row] = await database.dynamic<{ value: SqlValue }>({ sql: query, parameters: [] });
  return row?.value ?? null;
}

async function secret(
  database: Database,
  keyring: Keyring,
  table: string,
  name: string,
  values: Readonly<Record<string, SqlValue>>,
): Promise<Uint8Array> {
  const { columns, contentColumns } = sealedColumns;
  const column = columns.find((one) => one.table === table && one.column === name);
  if (column) {
    const [text, number] = column.key;
    return keyring.encrypt(SECRET, column.contextOf(String(values[text]), number ? Number(values[number]) : 0));
  }
  const beside = contentColumns.find((one) => one.table === table && one.column === name);
  if (beside === undefined) return SECRET;
  const blobName = String(values[beside.name]);
  const selectBlob = sql<{ blobName: string }, { key: Uint8Array }>(
    'SELECT data_key AS key FROM blob WHERE name = :blobName',
  );
  const blob = await database.one(selectBlob, { blobName });
  const blobs = new Blobs(new FileBlobs('/'), keyring);
  return blobs.seal({ name: blobName, dataKey: blob?.key ?? SECRET }, beside.purpose, SECRET);
}
