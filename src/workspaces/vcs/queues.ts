import type { BackgroundWork } from '../../lib/background/background-work.ts';
import type { DeliveryLoop } from '../delivery/index.ts';

/**
 * Starts due work of the queues of this module at once, on this node. Another node finds it within a second. Without it
 * each step between a push and its run would wait for the next poll of its queue.
 */
export class Queues implements BackgroundWork {
  readonly tasks = [];
  readonly #report: (error: unknown) => void;
  readonly #loops = new Map<QueueName, DeliveryLoop<unknown>>();
  #isStarted = false;

  constructor(report: (error: unknown) => void) {
    this.#report = report;
  }

  /** Adds the loop of a queue, once the queue is declared. */
  connect(name: QueueName, loop: DeliveryLoop<unknown>): void {
    this.#loops.set(name, loop);
  }

  /** Returns a hook that starts the due work of a queue. */
  starter(name: QueueName): () => void {
    return () => {
      if (this.#isStarted) this.#loops.get(name)?.begin().catch(this.#report);
    };
  }

  start(): void {
    this.#isStarted = true;
  }

  stop(): void {
    this.#isStarted = false;
  }

  /** Loops in the order of their work. */
  get loops(): readonly DeliveryLoop<unknown>[] {
    return [...this.#loops.values()];
  }
}

export type QueueName = 'links' | 'look-ups' | 'events';
