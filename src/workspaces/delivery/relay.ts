import { setTimeout as sleep } from 'node:timers/promises';
import { AppError } from '../../lib/errors.ts';
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
/** @limit attempts to store the result of a delivery while the database is not available, attempts -> the message is sent again */
const MOST_SETTLES = 10;
/** Pause between two of these attempts, milliseconds. */
const SETTLE_PAUSE = 500;

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
      const goesOn: boolean = (await this.#deliver(entry, loop)) && sent < inARow && !loop.isStopping;
      entry = goesOn ? await this.#take(entry.id) : undefined;
    }
  }

  /** Sends a message and returns whether it was accepted. */
  async #deliver(entry: E, loop: Ending): Promise<boolean> {
    const attempt = await this.#queue.attempt(entry, loop.signal);
    const ended = this.#endOf(entry, attempt, this.#platform.clock());
    return (await this.#settle(entry, attempt, ended, loop)) && ended.verdict === 'delivered';
  }

  /**
   * Stores the result. Tries again while the database is not available: an unstored result would be delivered once more,
   * after the claim has expired. Returns false if the claim was lost.
   */
  async #settle(entry: E, attempt: A, ended: Ended, loop: Ending): Promise<boolean> {
    const { outbox } = this.#queue;
    const store = () =>
      this.#platform.database.transaction(async (tx) => {
        if (!(await outbox.release(tx, entry, ended))) return false;
        await this.#queue.settle?.(tx, entry, attempt, ended);
        return true;
      });
    for (let left = MOST_SETTLES - 1; left > 0 && !loop.isStopping; left--) {
      try {
        return await store();
      } catch (error) {
        if (!(error instanceof AppError && error.kind === 'unavailable')) throw error;
      }
      await sleep(SETTLE_PAUSE, undefined, { signal: loop.signal, ref: false }).catch(() => {});
    }
    return store();
  }

  #endOf(entry: E, { outcome, until }: Attempt, now: number): Ended {
    const { mostTries = Number.POSITIVE_INFINITY } = this.#queue;
    if (outcome === 'arrived') return { verdict: 'delivered', failures: 0, dueAt: now, now };
    if (outcome === 'refused') return { verdict: 'given_up', failures: 0, dueAt: now, now };
    if (outcome === 'postponed') return { verdict: 'postponed', failures: entry.failures, dueAt: until ?? now, now };
    const failures = entry.failures + 1;
    const next = Math.round(now + pauseAfter(failures, Math.random()));
    const dueAt = Math.min(next, this.#queue.latest?.(entry) ?? next);
    return { verdict: entry.tries + 1 >= mostTries ? 'given_up' : 'failed', failures, dueAt, now };
  }
}
