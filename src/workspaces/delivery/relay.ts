import { randomText } from '../../lib/ids.ts';
import type { Platform } from '../platform/platform.ts';
import { DeliveryLoop, type Ending } from './delivery-loop.ts';
import { pauseAfter } from './pause.ts';
import type { Attempt, Ended, Entry, Queue } from './queue.ts';
import { LONGEST_DELIVERY } from './sender.ts';

/**
 * Duration of a claim, in milliseconds. It is longer than any delivery, so another node takes over only from a node
 * that has crashed.
 */
const LEASE = 6 * LONGEST_DELIVERY;

/** Relay of an outbox: claims due messages, makes the attempts of the queue, and stores what follows. */
export class Relay<E extends Entry, A extends Attempt> {
  readonly #platform: Pick<Platform, 'clock' | 'database'>;
  readonly #queue: Queue<E, A>;
  /** Background task that sends due messages. */
  readonly loop: DeliveryLoop<E>;

  constructor({ clock, database, report }: Pick<Platform, 'clock' | 'database' | 'report'>, queue: Queue<E, A>) {
    this.#platform = { clock, database };
    this.#queue = queue;
    const { outbox, places, task } = queue;
    this.loop = new DeliveryLoop<E>({
      ...{ task, places, report },
      due: (without, limit) => outbox.due(database, clock(), without, limit),
      take: (id) => this.#take(id),
      deliver: (entry, loop) => this.#deliverSome(entry, loop),
    });
  }

  #take(id: string): Promise<E | undefined> {
    const { clock, database } = this.#platform;
    const now = clock();
    const lease = { claim: randomText(16), now, until: now + LEASE };
    return this.#queue.outbox.take(database, id, lease, async (...given) => this.#queue.expired?.(...given));
  }

  /** Sends a message and its successors until one fails. */
  async #deliverSome(first: E, loop: Ending): Promise<void> {
    const { inARow } = this.#queue.outbox;
    let entry: E | undefined = first;
    for (let sent = 1; entry !== undefined; sent++) {
      const goesOn: boolean = (await this.#deliver(entry, loop.signal)) && sent < inARow && !loop.isStopping;
      entry = goesOn ? await this.#take(entry.id) : undefined;
    }
  }

  /** Sends a message and returns whether it was accepted. */
  async #deliver(entry: E, signal: AbortSignal): Promise<boolean> {
    const { clock, database } = this.#platform;
    const { outbox } = this.#queue;
    const attempt = await this.#queue.attempt(entry, signal);
    const ended = this.#endOf(entry, attempt, clock());
    const isOurs = await database.transaction(async (tx) => {
      if (!(await outbox.release(tx, entry, ended))) return false;
      await this.#queue.settle?.(tx, entry, attempt, ended);
      return true;
    });
    return isOurs && ended.verdict === 'delivered';
  }

  #endOf(entry: E, { outcome }: Attempt, now: number): Ended {
    const { mostTries = Number.POSITIVE_INFINITY } = this.#queue;
    if (outcome === 'arrived') return { verdict: 'delivered', failures: 0, dueAt: now, now };
    if (outcome === 'refused') return { verdict: 'given_up', failures: 0, dueAt: now, now };
    const failures = entry.failures + 1;
    const next = Math.round(now + pauseAfter(failures, Math.random()));
    const dueAt = Math.min(next, this.#queue.latest?.(entry) ?? next);
    return { verdict: entry.tries + 1 >= mostTries ? 'given_up' : 'failed', failures, dueAt, now };
  }
}
