import { whenQuiet } from './when-quiet.ts';

/** @limit statements that share a commit, statements -> those behind them are in the next */
const MOST_TOGETHER = 100;

/** What runs at once: only its signature is asynchronous. */
export interface Write {
  readonly run: () => Promise<unknown>;
  /** Several statements: they take a transaction, even alone. A single one undoes itself when it fails. */
  readonly isUnit: boolean;
}
export type Outcome = PromiseSettledResult<unknown>;

interface Waiting extends Write {
  readonly answer: PromiseWithResolvers<unknown>;
}

/**
 * Gathers statements and batches that come one by one, each a unit of work of its own, so that they share a commit: the pages
 * that they have in common are written once. One that fails takes nothing of the others with it.
 */
export class GroupCommit {
  readonly #commit: (writes: readonly Write[]) => Promise<readonly Outcome[]>;
  #waiting: Waiting[] = [];
  #added = 0;
  #isScheduled = false;

  /** @param commit stores what can be stored, durably, and tells of each; rejects when nothing was */
  constructor(commit: (writes: readonly Write[]) => Promise<readonly Outcome[]>) {
    this.#commit = commit;
  }

  /** @param isUnit it is several statements */
  add<T>(run: () => Promise<T>, isUnit = false): Promise<T> {
    const answer = Promise.withResolvers<unknown>();
    this.#waiting.push({ run, isUnit, answer });
    this.#added++;
    if (!this.#isScheduled) this.#schedule();
    return answer.promise as Promise<T>;
  }

  /** Stores what has been added up to now. */
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
