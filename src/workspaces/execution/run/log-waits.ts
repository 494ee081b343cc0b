import type { BackgroundWork } from '../../../lib/background-work.ts';
import { type Signals, type Transaction, Waits } from '../../../storage/index.ts';

/** @limit readers of logs that wait for what comes next at one process, requests -> more are answered at once */
const MOST_WAITING = 2_000;
/** @limit of them, readers of the logs of one run, requests -> more are answered at once */
const MOST_OF_ONE = 50;
/**
 * Less than proxies wait for an answer.
 * @limit a wait for more of a log, ms -> an answer without anything
 */
const LONGEST_WAIT = 20_000;

/**
 * Who has read a log to its end, and waits for what comes next. go-tfe takes an empty answer as the occasion to ask whether the plan is
 * over, and when it has ended just then, never reads what was said last: there are as few empty answers as can be.
 */
export class LogWaits implements BackgroundWork {
  readonly #signals: Signals;
  readonly #waits: Waits;
  readonly #ofRun = new Map<string, number>();

  constructor(signals: Signals) {
    this.#signals = signals;
    this.#waits = new Waits(signals, MOST_WAITING);
  }

  /** Wakes whoever reads a log of that run, once the unit of work is committed. */
  wake(tx: Transaction, runId: string): void {
    this.#signals.send(tx, topicOf(runId));
  }

  /** What `look` finds, or undefined when nothing came for a while. @param signal ends the wait: nobody is there any more */
  async until<T>(runId: string, signal: AbortSignal, look: () => Promise<T | undefined>): Promise<T | undefined> {
    if ((this.#ofRun.get(runId) ?? 0) >= MOST_OF_ONE) return undefined;
    this.#count(runId, 1);
    try {
      return await this.#waits.until(
        { key: Symbol(), topic: topicOf(runId), milliseconds: LONGEST_WAIT, signal },
        look,
      );
    } finally {
      this.#count(runId, -1);
    }
  }

  #count(runId: string, more: number): void {
    const waiting = (this.#ofRun.get(runId) ?? 0) + more;
    if (waiting > 0) this.#ofRun.set(runId, waiting);
    else this.#ofRun.delete(runId);
  }

  start(): void {}

  stop(): void {
    this.#waits.stop();
  }
}

const topicOf = (runId: string) => `log/${runId}`;
