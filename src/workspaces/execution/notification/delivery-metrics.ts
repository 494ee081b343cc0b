import type { DestinationType } from './notification.ts';

/**
 * Outcome of a message: delivered, failed (will be retried), given_up, not_queued (too many are waiting); verified or
 * not_verified for verifications.
 */
export type DeliveryOutcome = 'delivered' | 'failed' | 'given_up' | 'not_queued' | 'verified' | 'not_verified';

/** Number of messages with one outcome. */
export interface DeliveryCount {
  readonly destination: DestinationType;
  readonly outcome: DeliveryOutcome;
  readonly value: number;
}

/** Counts messages of this node since its start. */
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
