import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { LRUCache } from 'lru-cache';
import type { DynamicQuery, Params, Queries, SqlValue, Statement } from '../database.ts';
import { Reading } from '../reading.ts';
import { bind, bindDynamic, type Compiled, compile } from '../statement.ts';
import { translate } from './errors.ts';
import { type Footprint, Footprints, noteReading } from './footprint.ts';
import type { Followed, History } from './history.ts';

/** Settings of every connection. A worker thread makes the checkpoints, never a committing connection. */
const PRAGMAS = [
  'wal_autocheckpoint = 0',
  // Truncates the log to this size after a burst (bytes).
  'journal_size_limit = 67108864',
  // KiB, if negative. The system's page cache, which all connections share, has most other pages.
  'cache_size = -4096',
  'mmap_size = 0',
  // On macOS a plain fsync does not reach the disk.
  'fullfsync = ON',
];

/** Cache of prepared dynamic statements: number, and total length of their texts (characters). */
const DYNAMIC = { max: 200, maxSize: 1_048_576 };

export interface SqliteConnectionOptions {
  readonly readOnly: boolean;
  /** NORMAL syncs only around checkpoints, FULL also at each commit. */
  readonly synchronous: 'NORMAL' | 'FULL';
  /** Records reads and changes. */
  readonly history?: History;
}

interface Dynamic {
  readonly statement: StatementSync;
  readonly footprint: Footprint | undefined;
}

interface Prepared extends Dynamic {
  readonly compiled: Compiled;
}

/**
 * One connection to the file, with its prepared statements. All calls are synchronous behind asynchronous signatures.
 */
export class SqliteConnection implements Queries {
  readonly dialect = 'sqlite';
  readonly #database: DatabaseSync;
  readonly #history: History | undefined;
  readonly #footprints: Footprints | undefined;
  #prepared = new WeakMap<object, Prepared>();
  readonly #dynamic = new LRUCache<string, Dynamic>(DYNAMIC);

  constructor(file: string, options: SqliteConnectionOptions) {
    this.#database = new DatabaseSync(file, {
      readOnly: options.readOnly,
      timeout: 5000,
      enableForeignKeyConstraints: true,
    });
    for (const pragma of PRAGMAS) this.#database.exec(`PRAGMA ${pragma}`);
    this.#database.exec(`PRAGMA synchronous = ${options.synchronous}`);
    this.#history = options.history;
    this.#footprints = options.history && new Footprints(this.#database, options.history);
  }

  get inTransaction(): boolean {
    return this.#database.isTransaction;
  }

  /**
   * Prepares a frequent statement without parameters (BEGIN, COMMIT, a pragma). The returned function runs it and
   * returns its first row.
   */
  command(sql: string): () => unknown {
    const statement = this.#database.prepare(sql);
    return () => this.#translated(() => statement.get());
  }

  async all<P extends Params, R>(statement: Statement<P, R>, params: P): Promise<R[]> {
    const prepared = this.#prepare(statement);
    const values = bind(prepared.compiled, params);
    const rows = this.#translated(() => prepared.statement.all(...bindable(values)) as R[]);
    this.#noted(prepared, values);
    return rows;
  }

  async one<P extends Params, R>(statement: Statement<P, R>, params: P): Promise<R | undefined> {
    // A writing statement must run to its end, however many rows it returns.
    if (statement.writes) return (await this.all(statement, params))[0];
    const prepared = this.#prepare(statement);
    const values = bind(prepared.compiled, params);
    const row = this.#translated(() => prepared.statement.get(...bindable(values)) as R | undefined);
    this.#noted(prepared, values);
    return row;
  }

  async run<P extends Params, R>(statement: Statement<P, R>, params: P): Promise<number> {
    const prepared = this.#prepare(statement);
    const values = bind(prepared.compiled, params);
    const { changes } = this.#translated(() => prepared.statement.run(...bindable(values)));
    if (!prepared.compiled.data) this.#defined();
    else if (Number(changes) > 0) this.#noted(prepared, values);
    return prepared.compiled.data ? Number(changes) : 0;
  }

  async dynamic<R>(query: DynamicQuery): Promise<R[]> {
    const prepared = this.#prepareDynamic(query.sql);
    const values = bindDynamic(query.parameters);
    const rows = this.#translated(() => prepared.statement.all(...bindable(values)) as R[]);
    this.#noted(prepared, values);
    return rows;
  }

  /** Creates temporary triggers that report which rows of these tables change on this connection. */
  follow(tables: Followed): void {
    const history = this.#history;
    this.#database.function('row_changed', (id) => {
      if (typeof id === 'string') history?.noteRow(id);
      return null;
    });
    for (const [table, key] of Object.entries(tables)) {
      for (const [event, ...rows] of [
        ['INSERT', 'NEW'],
        ['DELETE', 'OLD'],
        ['UPDATE', 'OLD', 'NEW'],
      ] as const) {
        const each = rows.map((row) => `row_changed(${row}.${key})`).join(', ');
        this.#database.exec(
          `CREATE TEMP TRIGGER IF NOT EXISTS follow_${table}_${event} AFTER ${event} ON main.${table} BEGIN SELECT ${each}; END`,
        );
      }
    }
  }

  close(): void {
    this.#database.close();
  }

  #prepare(statement: { readonly text: string }): Prepared {
    let prepared = this.#prepared.get(statement);
    if (!prepared) {
      const compiled = compile(statement.text, 'sqlite');
      prepared = { compiled, ...this.#prepareText(compiled.text) };
      this.#prepared.set(statement, prepared);
    }
    return prepared;
  }

  /**
   * Caches dynamic statements, because preparing costs more than running most of them, and lists of a page or workspace
   * repeat the same text.
   */
  #prepareDynamic(sql: string): Dynamic {
    const known = this.#dynamic.get(sql);
    if (known) return known;
    const prepared = this.#prepareText(sql);
    this.#dynamic.set(sql, prepared, { size: sql.length });
    return prepared;
  }

  #prepareText(text: string): Dynamic {
    return this.#footprints?.prepare(text) ?? { statement: this.#database.prepare(text), footprint: undefined };
  }

  #noted({ footprint }: Dynamic, values: readonly SqlValue[]): void {
    if (footprint === undefined || this.#history === undefined) return;
    if (footprint.writes.length > 0) this.#history.note(footprint.writes);
    const reading = Reading.current;
    if (reading !== undefined) noteReading(reading, footprint, values, this.#history);
  }

  /** Discards prepared statements after a schema change, because their footprints may differ. */
  #defined(): void {
    this.#prepared = new WeakMap();
    if (this.#history !== undefined) this.#history.note([this.#history.everything]);
  }

  #translated<T>(action: () => T): T {
    try {
      return action();
    } catch (error) {
      throw translate(error, this.#database);
    }
  }
}

/**
 * Converts whole numbers to BigInt: node:sqlite binds every number as a REAL, so that 5 / 2 would be 2.5 here and 2 on
 * PostgreSQL.
 */
function bindable(values: readonly SqlValue[]): (SqlValue | bigint)[] {
  return values.map((value) => (Number.isInteger(value) ? BigInt(value as number) : value));
}
