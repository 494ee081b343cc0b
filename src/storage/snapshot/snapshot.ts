import type { SqlValue } from '../database.ts';
import { StorageError } from '../errors.ts';

/** A column, in the words of both dialects. */
export interface Column {
  readonly name: string;
  readonly type: 'text' | 'integer' | 'blob';
}

export interface Table {
  readonly name: string;
  readonly columns: readonly Column[];
}

/** Values in the order of the columns of their table. */
export type Row = readonly SqlValue[];

/** All tables of a database as they are at one moment, however long it takes to read them. */
export interface Snapshot {
  /** By name. */
  readonly tables: readonly Table[];
  /** In parts that fit into memory. */
  rows(table: Table): AsyncIterable<readonly Row[]>;
  /** May be called again. */
  close(): Promise<void>;
}

/** A database that gets the rows of a snapshot: nothing is checked and nothing follows from a row until it is finished. */
export interface Load {
  /** Those that the database has. */
  readonly tables: readonly Table[];
  /** What is in these tables goes: migrations have put it there, and it is among the rows. */
  empty(tables: readonly Table[]): Promise<void>;
  insert(table: Table, rows: readonly Row[]): Promise<void>;
  /** @throws StorageError where rows do not fit together; nothing is stored then */
  finish(): Promise<void>;
  /** Nothing is stored. */
  abandon(): Promise<void>;
}

/** @throws StorageError for a name that cannot be one of ours: names go into SQL as they are */
export function quoted(name: string): string {
  if (!/^[a-z_][a-z0-9_]*$/.test(name)) throw new StorageError(`${name} is no name of a table or a column of ours`);
  return `"${name}"`;
}

/** @throws StorageError for a type that no migration of ours gives a column */
export function columnType(types: Readonly<Record<string, Column['type']>>, table: string, found: string) {
  const type = types[found];
  if (type === undefined) throw new StorageError(`${table} has a column of type ${found}, which is none of ours`);
  return type;
}

/** About how many bytes a row takes. */
export function sizeOf(row: Row): number {
  return row.reduce<number>((sum, value) => sum + lengthOf(value), 0);
}

function lengthOf(value: SqlValue): number {
  if (typeof value === 'string') return value.length;
  return value instanceof Uint8Array ? value.length : 8;
}
