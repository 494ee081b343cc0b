import type { BackgroundWork } from '../../../lib/background/background-work.ts';
import { type Signals, type Transaction, Waits } from '../../../storage/index.ts';

/**
 * @limit readers of logs that wait for more output on one process, requests -> further readers get a response at once
 */
const MOST_WAITING = 2_000;
/**
 * @limit readers of the logs of one run that wait for more output, requests -> further readers get a response at once
 */
const MOST_OF_ONE = 50;
/**
 * Shorter than the response timeout of usual proxies.
 * @limit time that a log request waits for more output, ms -> an empty response
 */
const LONGEST_WAIT = 20_000;

/**
 * Long polls of readers that have reached the end of a log. go-tfe reacts to an empty response by requesting whether
 * the plan is over. If the plan ended just then, go-tfe never reads the last output. Long polls keep empty responses
 * rare.
 */
export class LogWaits implements BackgroundWork {
  readonly tasks = [];
  readonly #signals: Signals;
  readonly #waits: Waits;
  readonly #ofRun = new Map<string, number>();

  constructor(signals: Signals) {
    this.#signals = signals;
    this.#waits = new Waits(signals, MOST_WAITING);
  }

  /** Wakes the readers of the logs of that run when the transaction is committed. */
  wake(tx: Transaction, runId: string): void {
    this.#signals.send(tx, topicOf(runId));
  }

  /**
   * Waits until `look` finds something. Returns undefined after the timeout.
   * @param signal aborted when the client has disconnected
   */
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
