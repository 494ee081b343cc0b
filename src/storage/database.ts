import type { PoolMetrics } from './postgres/pool.ts';
import type { Reading } from './reading.ts';

/** Values of a column. Booleans are 0 and 1, times are milliseconds since 1970, JSON is text, in both dialects. */
export type SqlValue = string | number | null | Uint8Array;
export type Params = Readonly<Record<string, SqlValue>>;
export type Dialect = 'sqlite' | 'postgres';

declare const rowType: unique symbol;
declare const paramsType: unique symbol;

/**
 * One statement in SQL that both databases accept, with named parameters (`:name`). Each database compiles and prepares
 * it once and caches it, so declare statements at the top of a store, never inside a function.
 */
export interface Statement<P extends Params, R> {
  readonly text: string;
  /** Whether the statement writes. False for a plain SELECT, which may run on a reading connection. */
  readonly writes: boolean;
  readonly [rowType]?: R;
  readonly [paramsType]?: P;
}

/** Declares a statement: `sql<{ id: string }, Row>('SELECT … WHERE id = :id')`. */
export function sql<P extends Params = Record<string, never>, R = never>(text: string): Statement<P, R> {
  return Object.freeze({ text, writes: !/^\s*select\b/i.test(text) });
}

/**
 * A query that is built for one call (a list with its filters), in the SQL of the dialect. SQLite caches the most
 * recent ones as prepared statements.
 */
export interface DynamicQuery {
  readonly sql: string;
  readonly parameters: readonly unknown[];
}

/** A statement with its parameters, for `batch`. */
export interface Step<R> {
  readonly statement: Statement<Params, R>;
  readonly params: Params;
}

/** The rows of each step. */
export type StepRows<Steps extends readonly Step<unknown>[]> = {
  [Index in keyof Steps]: Steps[Index] extends Step<infer R> ? R[] : never;
};

export function step<P extends Params, R>(statement: Statement<P, R>, params: NoInfer<P>): Step<R> {
  return { statement: statement as unknown as Statement<Params, R>, params };
}

export interface Queries {
  readonly dialect: Dialect;
  all<P extends Params, R>(statement: Statement<P, R>, params: NoInfer<P>): Promise<R[]>;
  /** Returns the first row, or undefined. */
  one<P extends Params, R>(statement: Statement<P, R>, params: NoInfer<P>): Promise<R | undefined>;
  /** Returns the number of rows written. */
  run<P extends Params, R>(statement: Statement<P, R>, params: NoInfer<P>): Promise<number>;
  /** Connection for reading only. */
  dynamic<R>(query: DynamicQuery): Promise<R[]>;
}

/**
 * A transaction: all of it is stored, or nothing. Do no I/O, waiting or heavy computing inside one; use an after-commit
 * hook for effects outside of the database. Transactions are isolated as if they ran one after the other
 * (SERIALIZABLE).
 *
 * After a failed statement a transaction can only be rolled back, so use ON CONFLICT instead of catching a
 * UniqueViolation. Statements that are not awaited finish before the transaction ends; over a network they are
 * pipelined with the COMMIT. Inside a transaction the database itself refuses calls. On SQLite a transaction that waits
 * for anything but its own statements is rolled back at once.
 */
export interface Transaction extends Queries {
  /** Registers a hook that runs after the commit, in order, and not after a rollback. An error of a hook is logged. */
  afterCommit(hook: () => void): void;
  /**
   * Registers a hook that runs once it is certain that this attempt stored nothing, and before a retry. If the outcome
   * of a COMMIT is unknown (its response was lost), hooks of neither kind run.
   */
  afterRollback(hook: () => void): void;
}

/** A session without statement timeouts. Outside of its transactions each statement commits by itself. */
export interface SchemaSession extends Queries {
  /** Runs a transaction, which may be retried. */
  unit(work: (queries: Queries) => Promise<void>): Promise<void>;
  /**
   * Runs statements that block nobody while they wait for older transactions to end: PostgreSQL's `CONCURRENTLY`. They
   * may wait for minutes, unlike those of a unit.
   */
  concurrently(work: () => Promise<void>): Promise<void>;
}

/**
 * A database, embedded or a server. A write is durable before its promise resolves. A statement outside of a
 * transaction is a transaction of its own.
 */
export interface Database extends Queries {
  /**
   * Starts to track whether data read from now on changes. Undefined if tracking would need a query (PostgreSQL).
   * @param rows IDs of the rows of followed tables that are read
   */
  reading(rows?: readonly string[]): Reading | undefined;
  /** Tracks changes of these tables by row: each table is mapped to its column that holds the ID. */
  follow(tables: Readonly<Record<string, string>>): void;
  /**
   * Runs a transaction. It may run more than once (a serialization failure is retried), so it must not change anything
   * outside of the database.
   */
  transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T>;
  /** Runs `work` while no other node changes the schema. For migrations. */
  changeSchema<T>(work: (session: SchemaSession) => Promise<T>): Promise<T>;
  /**
   * Runs a transaction whose statements are pipelined: one round trip to the server. Each statement sees the writes of
   * earlier ones.
   */
  batch<const Steps extends readonly Step<unknown>[]>(steps: Steps): Promise<StepRows<Steps>>;
  /**
   * Stores a small row that nothing reads. Caches of reads stay valid if it succeeds. Rejects if the database is not
   * writable.
   */
  check(): Promise<void>;
  /** Returns metrics of the connection pool; undefined if there is none (SQLite). */
  connections(): PoolMetrics | undefined;
  close(): Promise<void>;
}

/**
 * A duplicate unique or primary key. `constraint` is the same in both dialects: the name of the index of CREATE UNIQUE
 * INDEX, `role_pkey` for the primary key of `role`, `role_mount_name_key` for UNIQUE (mount, name) in its CREATE TABLE.
 */
export class UniqueViolation extends Error {
  override readonly name = 'UniqueViolation';
  readonly constraint: string;

  constructor(constraint: string, cause: unknown) {
    super(`unique constraint violated: ${constraint}`, { cause });
    this.constraint = constraint;
  }
}

/**
 * A foreign key is violated: a concurrent transaction deleted the row that is referred to, or added a reference to the
 * row to delete.
 */
export class ReferenceViolation extends Error {
  override readonly name = 'ReferenceViolation';

  constructor(cause: unknown) {
    super('a foreign key is violated', { cause });
  }
}
