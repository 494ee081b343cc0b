import type { BackgroundWork } from '../../../lib/background-work.ts';
import type { Signals, Transaction } from '../../../storage/index.ts';
import { startsPhase } from '../lifecycle/status.ts';
import type { Run } from '../run/run.ts';

/** @limit agents that wait for a run at one process, agents -> more are answered at once */
const MOST_WAITING = 2_000;

/** Who waits for work, and for how long. */
export interface Waiter {
  /** Null for all of them. */
  readonly organizationId: string | null;
  readonly agentId: string;
  readonly milliseconds: number;
  /** Ends the wait: nobody is there any more who could be answered. */
  readonly signal: AbortSignal;
}

/** Agents that wait until there may be a run for them. Each waits once: who asks again takes the place of its earlier question. */
export class ClaimWaits implements BackgroundWork {
  readonly #signals: Signals;
  readonly #waiting = new Map<string, () => void>();
  #isOver = false;

  constructor(signals: Signals) {
    this.#signals = signals;
  }

  /** Wakes whoever waits in that organization, once the unit of work is committed. */
  wake(tx: Transaction, organizationId: string): void {
    this.#signals.send(tx, topicOf(organizationId));
    this.#signals.send(tx, topicOf(null));
  }

  /** Told of each step of a run. */
  readonly stepped = async (tx: Transaction, run: Run): Promise<void> => {
    if (startsPhase(run.status)) this.wake(tx, run.organizationId);
  };

  /** What `look` finds: at once, when there is something to be found, or at the end of the time. */
  async until<T>(waiter: Waiter, look: () => Promise<T | undefined>): Promise<T | undefined> {
    const { agentId, milliseconds, organizationId, signal } = waiter;
    if (milliseconds === 0 || this.#isOver) return look();
    this.#waiting.get(agentId)?.();
    if (this.#waiting.size >= MOST_WAITING) return look();
    const wait = new Wait(milliseconds, signal);
    const end = () => wait.end();
    this.#waiting.set(agentId, end);
    const forget = this.#signals.listen(topicOf(organizationId), () => wait.wake());
    try {
      let found = await look();
      while (found === undefined && (await wait.next())) found = await look();
      return found;
    } finally {
      forget();
      wait.end();
      if (this.#waiting.get(agentId) === end) this.#waiting.delete(agentId);
    }
  }

  start(): void {}

  /** Whoever waits is answered. */
  stop(): void {
    this.#isOver = true;
    for (const end of this.#waiting.values()) end();
  }
}

const topicOf = (organizationId: string | null) => `queue/${organizationId ?? '*'}`;

/** A wait that is woken again and again until its end. */
class Wait {
  readonly #timer: NodeJS.Timeout;
  readonly #signal: AbortSignal;
  #isOver = false;
  #wasWoken = false;
  #resume: () => void = () => {};

  constructor(milliseconds: number, signal: AbortSignal) {
    this.#timer = setTimeout(this.end, milliseconds);
    this.#signal = signal;
    signal.addEventListener('abort', this.end, { once: true });
    if (signal.aborted) this.end();
  }

  wake(): void {
    this.#wasWoken = true;
    this.#resume();
  }

  readonly end = (): void => {
    this.#isOver = true;
    clearTimeout(this.#timer);
    this.#signal.removeEventListener('abort', this.end);
    this.#resume();
  };

  /** True when it was woken since, false at its end. */
  async next(): Promise<boolean> {
    if (!this.#wasWoken && !this.#isOver) await new Promise<void>((resolve) => (this.#resume = resolve));
    const wasWoken = this.#wasWoken;
    this.#wasWoken = false;
    return wasWoken && !this.#isOver;
  }
}
