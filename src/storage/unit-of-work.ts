import { AsyncLocalStorage } from 'node:async_hooks';
import type { DynamicQuery, Params, Queries, Statement, Transaction } from './database.ts';

const current = new AsyncLocalStorage<UnitOfWork>();

/** @throws Error inside a unit of work: it would wait for itself, or not see its own writes. */
export function refuseInsideUnitOfWork(): void {
  if (current.getStore()?.open) throw new Error('a unit of work uses its own transaction (tx), and no other database');
}

/**
 * The rules of a transaction, the same over both dialects, above the connection it has to itself: no use after its end,
 * nothing more after a failed statement (PostgreSQL could not go on, so SQLite does not), and no commit before the last
 * statement has answered.
 */
export class UnitOfWork implements Transaction {
  readonly dialect;
  readonly #queries: Queries;
  readonly #hooks: (() => void)[] = [];
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

  /** What the first statement that failed threw. */
  get failure(): unknown {
    return this.#failure?.error;
  }

  /** Runs the work, and ends with it: the caller commits when this resolves, and rolls back when it rejects. */
  async perform<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    return this.#perform(work, async () => {});
  }

  /**
   * The same with the commit, for a server that does not commit after a statement that failed: what the work has not waited
   * for is sent together with it.
   */
  async performAndCommit<T>(work: (tx: Transaction) => Promise<T>, commit: () => Promise<void>): Promise<T> {
    return this.#perform(work, () => {
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

  /** After the commit. A hook that throws stops no other. */
  runHooks(report: (error: unknown) => void): void {
    for (const hook of this.#hooks) {
      try {
        hook();
      } catch (error) {
        report(error);
      }
    }
  }

  afterCommit(hook: () => void): void {
    this.#assertUsable();
    this.#hooks.push(hook);
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

  #assertUsable(): void {
    if (!this.#open) throw new Error('this unit of work has ended');
    if (this.#failure) {
      throw new Error('a statement of this unit of work has failed: it can only be rolled back', {
        cause: this.#failure.error,
      });
    }
  }
}
