import { DatabaseSync } from 'node:sqlite';
import type { Column, Row, Snapshot, Table } from './snapshot.ts';
import { quoted } from './snapshot.ts';

/** Rows that are given out at once, and bytes of them. */
const PART_ROWS = 500;
const PART_BYTES = 262_144;
const TYPES: Readonly<Record<string, Column['type']>> = { TEXT: 'text', INTEGER: 'integer', BLOB: 'blob' };

/** Reads while others write; the log of the database grows meanwhile. It holds the thread while it reads a part. */
export function snapshotOfSqlite(file: string): Snapshot {
  const database = new DatabaseSync(file, { readOnly: true, timeout: 5_000 });
  database.exec('BEGIN');
  // The first look is what the snapshot shows.
  const tables = tablesOfSqlite(database);
  return {
    tables,
    rows: async function* ({ name, columns }) {
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
    },
    close: async () => database.close(),
  };
}

/** Of an open database, but for those of SQLite itself. */
export function tablesOfSqlite(database: DatabaseSync): Table[] {
  const names = database.prepare(
    "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY name",
  );
  const columns = database.prepare('SELECT name, type FROM pragma_table_info(?) ORDER BY cid');
  return (names.all() as { name: string }[]).map(({ name }) => ({
    name,
    columns: (columns.all(name) as { name: string; type: string }[]).map((column) => ({
      name: column.name,
      type: TYPES[column.type] ?? 'text',
    })),
  }));
}

function sizeOf(row: Row): number {
  return row.reduce<number>(
    (sum, value) => sum + (typeof value === 'object' ? (value?.length ?? 1) : String(value).length),
    0,
  );
}
