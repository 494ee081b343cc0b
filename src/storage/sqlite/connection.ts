import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { LRUCache } from 'lru-cache';
import type { DynamicQuery, Params, Queries, SqlValue, Statement } from '../database.ts';
import { bind, bindDynamic, type Compiled, compile } from '../statement.ts';
import { translate } from './errors.ts';

/** For every connection. Checkpoints are made by a thread of their own, never by whoever commits. */
const PRAGMAS = [
  'wal_autocheckpoint = 0',
  // After a burst the log gives its space back (bytes).
  'journal_size_limit = 67108864',
  // KiB, when negative.
  'cache_size = -65536',
  'mmap_size = 0',
  // On macOS a plain fsync does not reach the disk.
  'fullfsync = ON',
];

/** Statements that were put together for one call and came again, and what their texts may hold together (characters). */
const DYNAMIC = { max: 200, maxSize: 1_048_576 };

export interface SqliteConnectionOptions {
  readonly readOnly: boolean;
  /** NORMAL syncs around checkpoints alone, FULL at each commit too. */
  readonly synchronous: 'NORMAL' | 'FULL';
}

interface Prepared {
  readonly compiled: Compiled;
  readonly statement: StatementSync;
}

/** One connection to the file, with its prepared statements. Everything happens at once: only the signatures are asynchronous. */
export class SqliteConnection implements Queries {
  readonly dialect = 'sqlite';
  readonly #database: DatabaseSync;
  readonly #prepared = new WeakMap<object, Prepared>();
  readonly #dynamic = new LRUCache<string, StatementSync>(DYNAMIC);

  constructor(file: string, options: SqliteConnectionOptions) {
    this.#database = new DatabaseSync(file, {
      readOnly: options.readOnly,
      timeout: 5000,
      enableForeignKeyConstraints: true,
    });
    for (const pragma of PRAGMAS) this.#database.exec(`PRAGMA ${pragma}`);
    this.#database.exec(`PRAGMA synchronous = ${options.synchronous}`);
  }

  get inTransaction(): boolean {
    return this.#database.isTransaction;
  }

  /** A statement without parameters that is used again and again (BEGIN, COMMIT, a pragma): its first row. */
  command(sql: string): () => unknown {
    const statement = this.#database.prepare(sql);
    return () => this.#translated(() => statement.get());
  }

  async all<P extends Params, R>(statement: Statement<P, R>, params: P): Promise<R[]> {
    const { compiled, statement: prepared } = this.#prepare(statement);
    return this.#translated(() => prepared.all(...bindable(bind(compiled, params))) as R[]);
  }

  async one<P extends Params, R>(statement: Statement<P, R>, params: P): Promise<R | undefined> {
    // What writes runs to its end, whatever number of rows it returns.
    if (statement.writes) return (await this.all(statement, params))[0];
    const { compiled, statement: prepared } = this.#prepare(statement);
    return this.#translated(() => prepared.get(...bindable(bind(compiled, params))) as R | undefined);
  }

  async run<P extends Params, R>(statement: Statement<P, R>, params: P): Promise<number> {
    const { compiled, statement: prepared } = this.#prepare(statement);
    const { changes } = this.#translated(() => prepared.run(...bindable(bind(compiled, params))));
    return compiled.data ? Number(changes) : 0;
  }

  async dynamic<R>(query: DynamicQuery): Promise<R[]> {
    return this.#translated(
      () => this.#prepareDynamic(query.sql).all(...bindable(bindDynamic(query.parameters))) as R[],
    );
  }

  close(): void {
    this.#database.close();
  }

  #prepare(statement: { readonly text: string }): Prepared {
    let prepared = this.#prepared.get(statement);
    if (!prepared) {
      const compiled = compile(statement.text, 'sqlite');
      prepared = { compiled, statement: this.#database.prepare(compiled.text) };
      this.#prepared.set(statement, prepared);
    }
    return prepared;
  }

  /** Preparing costs more than most of these queries: those of a page, or of one workspace, have the same text each time. */
  #prepareDynamic(sql: string): StatementSync {
    const known = this.#dynamic.get(sql);
    if (known) return known;
    const statement = this.#database.prepare(sql);
    this.#dynamic.set(sql, statement, { size: sql.length });
    return statement;
  }

  #translated<T>(action: () => T): T {
    try {
      return action();
    } catch (error) {
      throw translate(error, this.#database);
    }
  }
}

/** node:sqlite binds every number as a REAL: a whole one has to be a BigInt, or 5 / 2 would be 2.5 here and 2 on PostgreSQL. */
function bindable(values: readonly SqlValue[]): (SqlValue | bigint)[] {
  return values.map((value) => (Number.isInteger(value) ? BigInt(value as number) : value));
}
