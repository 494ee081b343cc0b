import { type Queries, type SqlValue, sql } from './database.ts';
import type { SealedColumn } from './sealed-column.ts';
import { HEADER_BYTES, headerOf, versionOf } from './sealing.ts';

/** Which row. `number` is 0 where the key has one part. */
export interface RowKey {
  readonly text: string;
  readonly number: number;
}

/** Before the first row. */
export const START: RowKey = { text: '', number: -1 };

/** The statements over one column of sealed values. They tell by the first bytes which key has sealed one. */
export interface SealedTable {
  readonly column: SealedColumn;
  /** The next rows after `after`, at most `step`, and whether each is sealed under another key than that of `version`. */
  page(db: Queries, after: RowKey, version: number, step: number): Promise<(RowKey & { isOld: boolean })[]>;
  /** Undefined when it is gone meanwhile. */
  value(db: Queries, key: RowKey): Promise<Uint8Array | undefined>;
  /** False when somebody else has written another value meanwhile. */
  replace(db: Queries, key: RowKey, old: Uint8Array, sealed: Uint8Array): Promise<boolean>;
  /** How many values each key has sealed, by its version. Reads all of the table. */
  counts(db: Queries): Promise<ReadonlyMap<number, number>>;
}

/** @param column its names go into the SQL as they are: they are ours */
export function sealedTable(column: SealedColumn): SealedTable {
  const { table, column: name, versionColumn } = column;
  const [textColumn, numberColumn] = column.key;
  const number = numberColumn ?? '0';
  const head = `substr(${name}, 1, ${HEADER_BYTES})`;
  const here = `${textColumn} = :text${numberColumn ? ` AND ${numberColumn} = :number` : ''}`;
  const after = numberColumn
    ? `(${textColumn} > :text OR (${textColumn} = :text AND ${numberColumn} > :number))`
    : `${textColumn} > :text`;
  const page = sql<Record<string, SqlValue>, { text: string; number: number; old: number }>(
    `SELECT ${textColumn} AS text, ${number} AS number, CASE WHEN ${head} = :head THEN 0 ELSE 1 END AS old FROM ${table}
     WHERE ${name} IS NOT NULL AND ${after} ORDER BY ${column.key.join(', ')} LIMIT :step`,
  );
  const select = sql<Record<string, SqlValue>, { value: Uint8Array | null }>(
    `SELECT ${name} AS value FROM ${table} WHERE ${here}`,
  );
  const update = sql<Record<string, SqlValue>>(
    `UPDATE ${table} SET ${name} = :sealed${versionColumn ? `, ${versionColumn} = :version` : ''}
     WHERE ${here} AND ${name} = :old`,
  );
  const count = sql<Record<string, never>, { head: Uint8Array; count: number }>(
    `SELECT ${head} AS head, COUNT(*) AS count FROM ${table} WHERE ${name} IS NOT NULL GROUP BY ${head}`,
  );
  // A statement takes the parameters that it names, and no others.
  const keyOf = ({ text, number: second }: RowKey) => ({ text, ...(numberColumn && { number: second }) });
  return {
    column,
    page: async (db, from, version, step) => {
      const rows = await db.all(page, { ...keyOf(from), head: headerOf(version), step });
      return rows.map(({ old, ...key }) => ({ ...key, isOld: old === 1 }));
    },
    value: async (db, key) => (await db.one(select, keyOf(key)))?.value ?? undefined,
    replace: async (db, key, old, sealed) => {
      const version = versionColumn ? { version: versionOf(sealed) ?? 0 } : {};
      return (await db.run(update, { ...keyOf(key), old, sealed, ...version })) > 0;
    },
    counts: async (db) => {
      const rows = await db.all(count, {});
      return new Map(rows.map(({ head: found, count: values }) => [versionOf(found) ?? 0, values]));
    },
  };
}
