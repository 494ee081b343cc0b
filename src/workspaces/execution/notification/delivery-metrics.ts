import type { DestinationType } from './notification.ts';

/**
 * What became of a message: delivered, failed (it is tried again), given_up, not_queued (too many wait already); verified or
 * not_verified where somebody waited for it.
 */
export type DeliveryOutcome = 'delivered' | 'failed' | 'given_up' | 'not_queued' | 'verified' | 'not_verified';

/** One number of `DeliveryFigures`. */
export interface DeliveryCount {
  readonly destination: DestinationType;
  readonly outcome: DeliveryOutcome;
  readonly value: number;
}

/** How many messages this node has sent since its start. */
export class DeliveryMetrics {
  readonly #counts = new Map<`${DestinationType} ${DeliveryOutcome}`, number>();

  count(destination: DestinationType, outcome: DeliveryOutcome, by = 1): void {
    const key = `${destination} ${outcome}` as const;
    this.#counts.set(key, (this.#counts.get(key) ?? 0) + by);
  }

  all(): DeliveryCount[] {
    return [...this.#counts].map(([key, value]) => {
      const [destination, outcome] = key.split(' ') as [DestinationType, DeliveryOutcome];
      return { destination, outcome, value };
    });
  }
}
