import type { Dialect } from '../database.ts';

/** Words of a migration that differ between the dialects. */
export interface ColumnTypes {
  readonly dialect: Dialect;
  /** A whole number up to 2^53. */
  readonly integer: string;
  /** Text that sorts and compares by its bytes in both dialects. */
  readonly text: string;
  readonly blob: string;
  /** Follows the closing parenthesis of CREATE TABLE. */
  readonly tableOptions: string;
}

interface Named {
  /** Name such as `0001-roles-and-tokens`. It orders the migrations and must never change. */
  readonly name: string;
  /**
   * The last migration that a program must know to work with the result of this one. Older programs that know it can
   * run beside newer ones, and a downgrade to them is possible. Absent means this migration itself.
   */
  readonly compatibleFrom?: string;
  /**
   * Names of the migrations of earlier versions that this baseline sums up. A database that has all of them has the
   * tables of the baseline.
   */
  readonly replaces?: readonly string[];
  /** SHA-256 of the names and checksums of `replaces`, so that a database with other tables is refused. */
  readonly replacedChecksum?: Readonly<Record<Dialect, string>>;
}

/** One migration. A released migration never changes: a later one corrects it. */
export type Migration = StatementMigration | IndexMigration;

/** Statements in one transaction. */
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
  /** Text that follows ON: `run (workspace_id, created_at) WHERE …`. */
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
