import type { SqlValue } from '../database.ts';
import { StorageError } from '../errors.ts';

/** A column with its type in both dialects. */
export interface Column {
  readonly name: string;
  readonly type: 'text' | 'integer' | 'blob';
}

export interface Table {
  readonly name: string;
  readonly columns: readonly Column[];
}

/** Values in the order of the table's columns. */
export type Row = readonly SqlValue[];

/** All tables of a database at one moment, however long it takes to read them. */
export interface Snapshot {
  /** Tables, sorted by name. */
  readonly tables: readonly Table[];
  /** Returns the rows in parts that fit into memory. */
  rows(table: Table): AsyncIterable<readonly Row[]>;
  /** Ends the snapshot. May be called more than once. */
  close(): Promise<void>;
}

/**
 * A database that receives the rows of a snapshot: constraints are not checked and triggers do not run until it is
 * finished.
 */
export interface Load {
  /** The tables of the database. */
  readonly tables: readonly Table[];
  /** Empties tables that migrations have filled, because the same rows are in the snapshot. */
  empty(tables: readonly Table[]): Promise<void>;
  insert(table: Table, rows: readonly Row[]): Promise<void>;
  /**
   * Commits the rows.
   * @throws StorageError if rows violate constraints; then nothing is stored
   */
  finish(): Promise<void>;
  /** Discards all rows. */
  abandon(): Promise<void>;
}

/**
 * Quotes a name for SQL.
 * @throws StorageError for a name that no migration uses, because names become part of the SQL
 */
export function quoted(name: string): string {
  if (!/^[a-z_][a-z0-9_]*$/.test(name)) throw new StorageError(`${name} is not a name of a Lockkeeper table or column`);
  return `"${name}"`;
}

/** @throws StorageError for a type that no migration uses */
export function columnType(types: Readonly<Record<string, Column['type']>>, table: string, found: string) {
  const type = types[found];
  if (type === undefined)
    throw new StorageError(`${table} has a column of type ${found}, which Lockkeeper does not use`);
  return type;
}

/** Returns the approximate size of a row in bytes. */
export function sizeOf(row: Row): number {
  return row.reduce<number>((sum, value) => sum + lengthOf(value), 0);
}

function lengthOf(value: SqlValue): number {
  if (typeof value === 'string') return value.length;
  return value instanceof Uint8Array ? value.length : 8;
}
