import { type Queries, type SqlValue, sql } from './database.ts';
import type { SealedColumn } from './sealed-column.ts';
import { HEADER_BYTES, headerOf, versionOf } from './sealing.ts';

/** Key of a row. `number` is 0 if the primary key has one part. */
export interface RowKey {
  readonly text: string;
  readonly number: number;
}

/** Position before the first row. */
export const START: RowKey = { text: '', number: -1 };

/** Statements for one column of encrypted values. They recognize the key of a value by its first bytes. */
export interface SealedTable {
  readonly column: SealedColumn;
  /** Returns up to `step` rows after `after`, and whether each is encrypted with another key than `version`. */
  page(db: Queries, after: RowKey, version: number, step: number): Promise<(RowKey & { isOld: boolean })[]>;
  /** Returns undefined if the row was deleted meanwhile. */
  value(db: Queries, key: RowKey): Promise<Uint8Array | undefined>;
  /** Returns false if another process has changed the value meanwhile. */
  replace(db: Queries, key: RowKey, old: Uint8Array, sealed: Uint8Array): Promise<boolean>;
  /** Returns the number of values by key version. Reads the whole table. */
  counts(db: Queries): Promise<ReadonlyMap<number, number>>;
}

/** @param column its names become part of the SQL without quoting, because they are constants of the program */
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
  // A statement accepts only the parameters that it names.
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
