import type { Dialect } from '../database.ts';

/** The words in which the dialects differ inside a migration. */
export interface ColumnTypes {
  readonly dialect: Dialect;
  /** A whole number up to 2^53. */
  readonly integer: string;
  /** Text that sorts and compares by its bytes, in both. */
  readonly text: string;
  readonly blob: string;
  /** What follows the closing parenthesis of CREATE TABLE. */
  readonly tableOptions: string;
}

interface Named {
  /** `0001-roles-and-tokens`: ordered by name, told apart for ever by it. */
  readonly name: string;
  /**
   * The last step that a program has to know to work with what this one leaves: versions that know it serve beside newer ones, and
   * can be gone back to. Absent: this very step.
   */
  readonly compatibleFrom?: string;
}

/** One step of the schema. A step that has landed is never changed: the next one mends it. */
export type Migration = StatementMigration | IndexMigration;

/** In a transaction of its own. */
export interface StatementMigration extends Named {
  statements(types: ColumnTypes): readonly string[];
}

/** Indexes of large tables: on PostgreSQL they are built while others read and write. */
export interface IndexMigration extends Named {
  readonly indexes: readonly Index[];
}

export interface Index {
  readonly name: string;
  readonly unique?: boolean;
  /** What follows ON: `run (workspace_id, created_at) WHERE …`. */
  readonly on: string;
}

export const COLUMN_TYPES: Readonly<Record<Dialect, ColumnTypes>> = {
  sqlite: { dialect: 'sqlite', integer: 'INTEGER', text: 'TEXT', blob: 'BLOB', tableOptions: 'STRICT' },
  postgres: { dialect: 'postgres', integer: 'BIGINT', text: 'TEXT COLLATE "C"', blob: 'BYTEA', tableOptions: '' },
};

/** @param how `CONCURRENTLY IF NOT EXISTS`, or nothing */
export function createIndex({ name, unique = false, on }: Index, how = ''): string {
  return ['CREATE', unique && 'UNIQUE', 'INDEX', how, name, 'ON', on].filter(Boolean).join(' ');
}
