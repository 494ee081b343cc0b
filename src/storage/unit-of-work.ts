import { AsyncLocalStorage } from 'node:async_hooks';
import type { DynamicQuery, Params, Queries, Statement, Transaction } from './database.ts';

const current = new AsyncLocalStorage<UnitOfWork>();

/** @throws Error inside a transaction: the call would deadlock or miss the transaction's own writes */
export function refuseInsideUnitOfWork(): void {
  if (current.getStore()?.open)
    throw new Error('code inside a transaction must use the transaction (tx), and no other database');
}

/**
 * Common rules of a transaction for both dialects, on top of its exclusive connection: no use after its end, no
 * statement after a failed one (PostgreSQL cannot continue, so SQLite does not either), and no commit before the last
 * statement has responded.
 */
export class UnitOfWork implements Transaction {
  readonly dialect;
  readonly #queries: Queries;
  readonly #commitHooks: (() => void)[] = [];
  readonly #rollbackHooks: (() => void)[] = [];
  readonly #unanswered = new Set<Promise<unknown>>();
  #open = true;
  #failure: { readonly error: unknown } | undefined;

  constructor(queries: Queries) {
    this.#queries = queries;
    this.dialect = queries.dialect;
  }

  get open(): boolean {
    return this.#open;
  }

  /** Error of the first statement that failed. */
  get failure(): unknown {
    return this.#failure?.error;
  }

  /** Runs the work to its end. The caller commits if the promise resolves, and rolls back if it rejects. */
  async perform<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    return this.#perform(work, async () => {});
  }

  /**
   * Like `perform`, with the commit, for a server that does not commit after a failed statement: statements that the
   * work did not await are pipelined with it.
   */
  async performAndCommit<T>(work: (tx: Transaction) => Promise<T>, commit: () => Promise<void>): Promise<T> {
    return this.#perform(work, () => {
      // The caller may have given up and rolled back while the work ran.
      this.#assertOpen();
      this.end();
      return commit();
    });
  }

  async #perform<T>(work: (tx: Transaction) => Promise<T>, end: () => Promise<void>): Promise<T> {
    try {
      const result = await current.run(this, () => work(this));
      this.#throwFailure();
      const ended = end();
      await Promise.allSettled([ended, ...this.#unanswered]);
      this.#throwFailure();
      await ended;
      return result;
    } finally {
      this.end();
    }
  }

  end(): void {
    this.#open = false;
  }

  /** Runs the hooks for a transaction that is stored. */
  committed(report: (error: unknown) => void): void {
    runAll(this.#commitHooks, report);
  }

  /** Runs the hooks for a transaction of which nothing is stored, now or later. */
  rolledBack(report: (error: unknown) => void): void {
    runAll(this.#rollbackHooks, report);
  }

  afterCommit(hook: () => void): void {
    this.#assertUsable();
    this.#commitHooks.push(hook);
  }

  afterRollback(hook: () => void): void {
    this.#assertUsable();
    this.#rollbackHooks.push(hook);
  }

  all<P extends Params, R>(statement: Statement<P, R>, params: P): Promise<R[]> {
    return this.#do(() => this.#queries.all(statement, params));
  }

  one<P extends Params, R>(statement: Statement<P, R>, params: P): Promise<R | undefined> {
    return this.#do(() => this.#queries.one(statement, params));
  }

  run<P extends Params, R>(statement: Statement<P, R>, params: P): Promise<number> {
    return this.#do(() => this.#queries.run(statement, params));
  }

  dynamic<R>(query: DynamicQuery): Promise<R[]> {
    return this.#do(() => this.#queries.dynamic(query));
  }

  async #do<T>(action: () => Promise<T>): Promise<T> {
    this.#assertUsable();
    const answer = action();
    this.#unanswered.add(answer);
    try {
      return await answer;
    } catch (error) {
      this.#failure ??= { error };
      throw error;
    } finally {
      this.#unanswered.delete(answer);
    }
  }

  #throwFailure(): void {
    if (this.#failure) throw this.#failure.error;
  }

  #assertOpen(): void {
    if (!this.#open) throw new Error('this transaction has ended');
  }

  #assertUsable(): void {
    this.#assertOpen();
    if (this.#failure) {
      throw new Error('a statement of this transaction has failed: it can only be rolled back', {
        cause: this.#failure.error,
      });
    }
  }
}

/** Runs all hooks. An error of a hook does not stop the others. */
function runAll(hooks: readonly (() => void)[], report: (error: unknown) => void): void {
  for (const hook of hooks) {
    try {
      hook();
    } catch (error) {
      report(error);
    }
  }
}
