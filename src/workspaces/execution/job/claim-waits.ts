import type { BackgroundWork } from '../../../lib/background-work.ts';
import { type Signals, type Transaction, Waits } from '../../../storage/index.ts';
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
  readonly #waits: Waits;

  constructor(signals: Signals) {
    this.#signals = signals;
    this.#waits = new Waits(signals, MOST_WAITING);
  }

  /** Wakes whoever waits in that organization, once the unit of work is committed. Null: those who wait for all of them. */
  wake(tx: Transaction, organizationId: string | null): void {
    this.#signals.send(tx, topicOf(organizationId));
    this.#signals.send(tx, topicOf(null));
  }

  /** Told of each step of a run. */
  readonly onTransition = async (tx: Transaction, run: Run): Promise<void> => {
    if (startsPhase(run.status)) this.wake(tx, run.organizationId);
  };

  /** What `look` finds: at once, when there is something to be found, or at the end of the time. */
  until<T>({ agentId, organizationId, ...rest }: Waiter, look: () => Promise<T | undefined>): Promise<T | undefined> {
    return this.#waits.until({ key: agentId, topic: topicOf(organizationId), ...rest }, look);
  }

  start(): void {}

  stop(): void {
    this.#waits.stop();
  }
}

const topicOf = (organizationId: string | null) => `queue/${organizationId ?? '*'}`;
