import { DatabaseSync } from 'node:sqlite';
import { type Column, columnType, quoted, type Row, type Snapshot, sizeOf, type Table } from './snapshot.ts';

/** Maximum rows and bytes of a part. */
const PART_ROWS = 500;
const PART_BYTES = 262_144;
const TYPES: Readonly<Record<string, Column['type']>> = { TEXT: 'text', INTEGER: 'integer', BLOB: 'blob' };

/**
 * Reads a snapshot while others write. The write-ahead log grows meanwhile and is checkpointed afterwards. Reading a
 * part blocks the thread, so this must not be the thread that serves requests.
 */
export function snapshotOfSqlite(file: string): Snapshot {
  const database = new DatabaseSync(file, { readOnly: true, timeout: 5_000 });
  try {
    database.exec('BEGIN');
    // The first read determines the state that the snapshot shows.
    const tables = tablesOfSqlite(database);
    const close = async () => {
      if (database.isOpen) database.close();
    };
    return { tables, rows: (table) => rowsOf(database, table), close };
  } catch (error) {
    database.close();
    throw error;
  }
}

async function* rowsOf(database: DatabaseSync, { name, columns }: Table): AsyncGenerator<Row[]> {
  const names = columns.map((column) => quoted(column.name)).join(', ');
  const statement = database.prepare(`SELECT ${names} FROM ${quoted(name)}`);
  statement.setReturnArrays(true);
  let part: Row[] = [];
  let bytes = 0;
  for (const row of statement.iterate() as unknown as Iterable<Row>) {
    part.push(row);
    bytes += sizeOf(row);
    if (part.length < PART_ROWS && bytes < PART_BYTES) continue;
    yield part;
    part = [];
    bytes = 0;
  }
  if (part.length > 0) yield part;
}

/** Returns the tables of an open database without those of SQLite itself. */
export function tablesOfSqlite(database: DatabaseSync): Table[] {
  const names = database.prepare(
    "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY name",
  );
  const columns = database.prepare('SELECT name, type FROM pragma_table_info(?) ORDER BY cid');
  return (names.all() as { name: string }[]).map(({ name: table }) => ({
    name: table,
    columns: (columns.all(table) as { name: string; type: string }[]).map(({ name, type }) => ({
      name,
      type: columnType(TYPES, table, type),
    })),
  }));
}
