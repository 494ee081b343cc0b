import type { BackgroundWork } from '../../../lib/background/background-work.ts';
import { type Signals, type Transaction, Waits } from '../../../storage/index.ts';

/** @limit agents that wait for a run on one process, agents -> further agents get a response at once */
const MOST_WAITING = 2_000;

/** An agent that waits for work, and its timeout. */
export interface Waiter {
  /** Organization of the agent; null for the server's own agents, which serve all organizations. */
  readonly organizationId: string | null;
  readonly agentId: string;
  readonly milliseconds: number;
  /** Aborted when the client has disconnected. */
  readonly signal: AbortSignal;
}

/** Long polls of agents that wait for a run. Each agent waits once: a new request replaces its earlier one. */
export class ClaimWaits implements BackgroundWork {
  readonly tasks = [];
  readonly #signals: Signals;
  readonly #waits: Waits;

  constructor(signals: Signals) {
    this.#signals = signals;
    this.#waits = new Waits(signals, MOST_WAITING);
  }

  /**
   * Wakes the agents that wait in that organization when the transaction is committed. Null wakes those that serve
   * all organizations.
   */
  wake(tx: Transaction, organizationId: string | null): void {
    this.#signals.send(tx, topicOf(organizationId));
    this.#signals.send(tx, topicOf(null));
  }

  /** Waits until `look` finds something. Returns its last result at the timeout. */
  until<T>({ agentId, organizationId, ...rest }: Waiter, look: () => Promise<T | undefined>): Promise<T | undefined> {
    return this.#waits.until({ key: agentId, topic: topicOf(organizationId), ...rest }, look);
  }

  start(): void {}

  stop(): void {
    this.#waits.stop();
  }
}

const topicOf = (organizationId: string | null) => `queue/${organizationId ?? '*'}`;
