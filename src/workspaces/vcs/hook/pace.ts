import { LRUCache } from 'lru-cache';

/** @limit deliveries of one webhook that are stored at once, deliveries -> further ones only start a look-up */
const BURST = 60;
/** @limit deliveries of one webhook that are stored per second, deliveries -> further ones only start a look-up */
const PER_SECOND = 2;
/** @limit webhooks whose pace is in memory, webhooks -> the pace of the one that was used least recently starts again */
const MOST_HOOKS = 10_000;

/** Token bucket of each hook for proven deliveries. */
export class DeliveryPace {
  readonly #buckets = new LRUCache<string, { left: number; at: number }>({ max: MOST_HOOKS });

  /** Returns whether another delivery of the hook may be stored. */
  take(hookId: string, now: number): boolean {
    const { left, at } = this.#buckets.get(hookId) ?? { left: BURST, at: now };
    const refilled = Math.min(BURST, left + (Math.max(0, now - at) / 1000) * PER_SECOND);
    this.#buckets.set(hookId, { left: Math.max(0, refilled - 1), at: now });
    return refilled >= 1;
  }
}
