import type { Database, Step, StepRows } from '../../storage/index.ts';

/** @limit batches that change the same row in one transaction, batches -> the next transaction has the others */
const MOST_TOGETHER = 25;

interface Waiting {
  readonly steps: readonly Step<unknown>[];
  readonly answer: PromiseWithResolvers<unknown[][]>;
}

/**
 * Group commit for batches that change the same row: one transaction at a time, and the batches that arrive meanwhile
 * share the next one. A failing batch does not affect the others.
 */
export class BatchQueue {
  readonly #database: Database;
  #waiting: Waiting[] = [];
  #isBusy = false;

  constructor(database: Database) {
    this.#database = database;
  }

  /** Runs a batch like `Database.batch`. */
  batch<const Steps extends readonly Step<unknown>[]>(steps: Steps): Promise<StepRows<Steps>> {
    const answer = Promise.withResolvers<unknown[][]>();
    this.#waiting.push({ steps, answer });
    if (!this.#isBusy) void this.#serve();
    return answer.promise as Promise<StepRows<Steps>>;
  }

  async #serve(): Promise<void> {
    this.#isBusy = true;
    while (this.#waiting.length > 0) await this.#together(this.#waiting.splice(0, MOST_TOGETHER));
    this.#isBusy = false;
  }

  async #together(some: readonly Waiting[]): Promise<void> {
    try {
      const rows: unknown[][] = await this.#database.batch(some.flatMap(({ steps }) => steps));
      for (const { steps, answer } of some) answer.resolve(rows.splice(0, steps.length));
    } catch (error) {
      const [only, ...others] = some;
      if (others.length === 0) only?.answer.reject(error);
      else for (const one of some) await this.#together([one]);
    }
  }
}
