import { AsyncLocalStorage } from 'node:async_hooks';
import type {
  Database,
  DynamicQuery,
  Params,
  Queries,
  SchemaSession,
  Statement,
  Step,
  StepRows,
  Transaction,
} from './database.ts';
import type { PoolMetrics } from './postgres/pool.ts';
import type { Reading } from './reading.ts';

/** A condition for the commit of a transaction (fencing token). */
export interface Fence {
  /**
   * Checks the condition inside the transaction.
   * @throws FencedOff if it no longer holds
   */
  assert(tx: Queries): Promise<void>;
}

/** Another process holds the lease now. Nothing was stored. */
export class FencedOff extends Error {
  override readonly name = 'FencedOff';
}

const current = new AsyncLocalStorage<Fence>();

/** Runs work whose transactions commit only while the fence holds. */
export function withFence<T>(fence: Fence, work: () => Promise<T>): Promise<T> {
  return current.run(fence, work);
}

/**
 * A database that checks the fence of the caller in each transaction. Because transactions are serializable, one that
 * saw the fence hold is ordered before the transaction that ended it.
 */
export class FencedDatabase implements Database {
  readonly dialect;
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
    this.dialect = database.dialect;
  }

  reading(rows?: readonly string[]): Reading | undefined {
    return this.#database.reading(rows);
  }

  follow(tables: Readonly<Record<string, string>>): void {
    this.#database.follow(tables);
  }

  transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    const fence = current.getStore();
    if (fence === undefined) return this.#database.transaction(work);
    return this.#database.transaction(async (tx) => {
      await fence.assert(tx);
      return work(tx);
    });
  }

  batch<const Steps extends readonly Step<unknown>[]>(steps: Steps): Promise<StepRows<Steps>> {
    if (current.getStore() === undefined) return this.#database.batch(steps);
    return this.transaction(async (tx) => {
      const rows: unknown[][] = [];
      for (const { statement, params } of steps) rows.push(await tx.all(statement, params));
      return rows as StepRows<Steps>;
    });
  }

  all<P extends Params, R>(statement: Statement<P, R>, params: P): Promise<R[]> {
    if (isFenced(statement)) return this.transaction((tx) => tx.all(statement, params));
    return this.#database.all(statement, params);
  }

  one<P extends Params, R>(statement: Statement<P, R>, params: P): Promise<R | undefined> {
    if (isFenced(statement)) return this.transaction((tx) => tx.one(statement, params));
    return this.#database.one(statement, params);
  }

  run<P extends Params, R>(statement: Statement<P, R>, params: P): Promise<number> {
    if (isFenced(statement)) return this.transaction((tx) => tx.run(statement, params));
    return this.#database.run(statement, params);
  }

  dynamic<R>(query: DynamicQuery): Promise<R[]> {
    return this.#database.dynamic(query);
  }

  changeSchema<T>(work: (session: SchemaSession) => Promise<T>): Promise<T> {
    return this.#database.changeSchema(work);
  }

  check(): Promise<void> {
    return this.#database.check();
  }

  connections(): PoolMetrics | undefined {
    return this.#database.connections();
  }

  close(): Promise<void> {
    return this.#database.close();
  }
}

function isFenced({ writes }: { readonly writes: boolean }): boolean {
  return writes && current.getStore() !== undefined;
}
