/**
 * What became of a request of a run task: it was taken, or not (failed: it is tried again; refused: it may not be sent, or its task
 * is gone). silent: the service has taken it, or not, and nothing was said in time.
 */
export type RequestOutcome = 'taken' | 'failed' | 'refused' | 'silent';

/** How many requests this node has sent since its start. */
export class RequestMetrics {
  readonly #counts = new Map<RequestOutcome, number>();

  count(outcome: RequestOutcome): void {
    this.#counts.set(outcome, (this.#counts.get(outcome) ?? 0) + 1);
  }

  all(): { readonly outcome: RequestOutcome; readonly value: number }[] {
    return [...this.#counts].map(([outcome, value]) => ({ outcome, value }));
  }
}
