import { whenQuiet } from './when-quiet.ts';

/** @limit statements that one group commit includes, statements -> further ones join the next commit */
const MOST_TOGETHER = 100;

/** A write. It runs synchronously behind an asynchronous signature. */
export interface Write {
  readonly run: () => Promise<unknown>;
  /** Whether the write has several statements, which need a transaction. A failed single statement undoes itself. */
  readonly isUnit: boolean;
}
export type Outcome = PromiseSettledResult<unknown>;

interface Waiting extends Write {
  readonly answer: PromiseWithResolvers<unknown>;
}

/**
 * Group commit: gathers independent statements and batches so that they share a commit, which writes common pages once.
 * A failed one does not affect the others.
 */
export class GroupCommit {
  readonly #commit: (writes: readonly Write[]) => Promise<readonly Outcome[]>;
  #waiting: Waiting[] = [];
  #added = 0;
  #isScheduled = false;

  /** @param commit stores the writes durably and returns the outcome of each; rejects if nothing was stored */
  constructor(commit: (writes: readonly Write[]) => Promise<readonly Outcome[]>) {
    this.#commit = commit;
  }

  /** @param isUnit whether the write has several statements */
  add<T>(run: () => Promise<T>, isUnit = false): Promise<T> {
    const answer = Promise.withResolvers<unknown>();
    this.#waiting.push({ run, isUnit, answer });
    this.#added++;
    if (!this.#isScheduled) this.#schedule();
    return answer.promise as Promise<T>;
  }

  /** Stores everything added so far. */
  async flush(): Promise<void> {
    while (this.#waiting.length > 0) await this.#next();
  }

  #schedule(): void {
    this.#isScheduled = true;
    const added = () => this.#added;
    whenQuiet(added, () => void this.#next());
  }

  async #next(): Promise<void> {
    const together = this.#waiting.splice(0, MOST_TOGETHER);
    this.#isScheduled = false;
    if (together.length === 0) return;
    if (this.#waiting.length > 0) this.#schedule();
    try {
      const outcomes = await this.#commit(together);
      for (const [i, { answer }] of together.entries()) settle(answer, outcomes[i] as Outcome);
    } catch (error) {
      for (const { answer } of together) answer.reject(error);
    }
  }
}

function settle(answer: PromiseWithResolvers<unknown>, outcome: Outcome): void {
  if (outcome.status === 'fulfilled') answer.resolve(outcome.value);
  else answer.reject(outcome.reason);
}
