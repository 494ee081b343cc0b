import type { SqlValue } from '../database.ts';

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
  close(): Promise<void>;
}

/** An empty database that gets the rows of a snapshot: nothing is checked and nothing follows from a row until it is finished. */
export interface Load {
  /** Those that the database has. */
  readonly tables: readonly Table[];
  insert(table: Table, rows: readonly Row[]): Promise<void>;
  /** @throws StorageError where rows do not fit together; nothing is stored then */
  finish(): Promise<void>;
  /** Nothing is stored. */
  abandon(): Promise<void>;
}

/** Names as they are ours: they go into SQL as they are. @throws Error */
export function quoted(name: string): string {
  if (!/^[a-z_][a-z0-9_]*$/.test(name)) throw new Error(`${name} is not a name of ours`);
  return `"${name}"`;
}
