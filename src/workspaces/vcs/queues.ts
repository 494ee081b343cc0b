import type { DeliveryLoop } from '../delivery/index.ts';

type Loop = Pick<DeliveryLoop<unknown>, 'begin'>;

/**
 * Starts due work of the queues of this module at once, on this node. Another node finds it within a second. Without it
 * each step between a push and its run would wait for the next poll of its queue.
 */
export class Queues {
  readonly #report: (error: unknown) => void;
  readonly #loops = new Map<QueueName, Loop>();

  constructor(report: (error: unknown) => void) {
    this.#report = report;
  }

  /** Adds the loop of a queue, once the queue is declared. */
  connect(name: QueueName, loop: Loop): void {
    this.#loops.set(name, loop);
  }

  /** Returns a hook that starts the due work of a queue. */
  starter(name: QueueName): () => void {
    return () => void this.#loops.get(name)?.begin().catch(this.#report);
  }
}

export type QueueName = 'links' | 'look-ups' | 'events';
