import type { PoolMetrics } from './postgres/pool.ts';
import type { Reading } from './reading.ts';

/** What a column can hold. Booleans are 0 and 1, times are milliseconds since 1970, JSON is text: alike in both dialects. */
export type SqlValue = string | number | null | Uint8Array;
export type Params = Readonly<Record<string, SqlValue>>;
export type Dialect = 'sqlite' | 'postgres';

declare const rowType: unique symbol;
declare const paramsType: unique symbol;

/**
 * One statement in the SQL that both databases speak, with named parameters (`:name`). It is compiled and prepared once
 * for each database and kept: declare it at the top of a store, never inside a function.
 */
export interface Statement<P extends Params, R> {
  readonly text: string;
  /** False for a plain SELECT, which a reading connection may run. */
  readonly writes: boolean;
  readonly [rowType]?: R;
  readonly [paramsType]?: P;
}

/** `sql<{ id: string }, Row>('SELECT … WHERE id = :id')` */
export function sql<P extends Params = Record<string, never>, R = never>(text: string): Statement<P, R> {
  return Object.freeze({ text, writes: !/^\s*select\b/i.test(text) });
}

/** A query put together for one call (a list with its filters), in the dialect's own SQL. SQLite keeps the last ones prepared. */
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
  /** The first row, or undefined. */
  one<P extends Params, R>(statement: Statement<P, R>, params: NoInfer<P>): Promise<R | undefined>;
  /** The number of rows written. */
  run<P extends Params, R>(statement: Statement<P, R>, params: NoInfer<P>): Promise<number>;
  /** For reading only. */
  dynamic<R>(query: DynamicQuery): Promise<R[]>;
}

/**
 * A unit of work: all of it is stored, or nothing. No I/O, no waiting and no heavy computing inside one; what must happen
 * outside the database happens in an after-commit hook. Units run as if one after the other (SERIALIZABLE).
 *
 * After a statement that failed a unit can only be rolled back: say ON CONFLICT rather than catch a UniqueViolation and go
 * on. What it begins and does not wait for is done before it ends; over a network it goes out together with the commit.
 * Inside a unit the database itself is refused; and on SQLite a unit that waits for anything but its own statements is
 * rolled back at once.
 */
export interface Transaction extends Queries {
  /** Runs once the work is durable, in the order given; not at all when it is rolled back. A hook that throws is logged. */
  afterCommit(hook: () => void): void;
}

/** A session in which statements take as long as they need. Outside its units each is stored by itself. */
export interface SchemaSession extends Queries {
  /** All of it is stored, or nothing. It may run more than once. */
  unit(work: (queries: Queries) => Promise<void>): Promise<void>;
}

/**
 * One database of ours, embedded or a server. A write is durable before its promise resolves. A statement outside a
 * transaction is a unit of work of its own.
 */
export interface Database extends Queries {
  /**
   * What tells whether something that is read during it would be read the same again. Undefined where telling would take a
   * query (PostgreSQL).
   * @param rows ids of the rows, of the tables followed, that are read
   */
  reading(rows?: readonly string[]): Reading | undefined;
  /** Tells changes of these tables apart by the column given, which says whose a row is: for reads of one of those. */
  follow(tables: Readonly<Record<string, string>>): void;
  /** Work may run more than once (a serialization failure is retried), so it changes nothing outside the database. */
  transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T>;
  /** While no other node changes the schema. For whoever migrates. */
  changeSchema<T>(work: (session: SchemaSession) => Promise<T>): Promise<T>;
  /**
   * A unit of work whose statements do not wait for one another: one round trip to a server. Each sees what those before it
   * have written.
   */
  batch<const Steps extends readonly Step<unknown>[]>(steps: Steps): Promise<StepRows<Steps>>;
  /** Stores something small that nobody reads: what is kept of reads stays as long as all is well. Rejects when it cannot be stored. */
  check(): Promise<void>;
  /** How its connections are used; undefined where there is no pool of them (SQLite). */
  connections(): PoolMetrics | undefined;
  close(): Promise<void>;
}

/**
 * A unique or primary key that is there already. `constraint` is alike in both: the name of the index that CREATE UNIQUE
 * INDEX gave, `role_pkey` for the primary key of `role`, `role_mount_name_key` for UNIQUE (mount, name) in its CREATE TABLE.
 */
export class UniqueViolation extends Error {
  override readonly name = 'UniqueViolation';
  readonly constraint: string;

  constructor(constraint: string, cause: unknown) {
    super(`unique constraint violated: ${constraint}`, { cause });
    this.constraint = constraint;
  }
}

/** What a row refers to is not there, or what is to go is referred to: somebody else was quicker. */
export class ReferenceViolation extends Error {
  override readonly name = 'ReferenceViolation';

  constructor(cause: unknown) {
    super('a foreign key is violated', { cause });
  }
}
