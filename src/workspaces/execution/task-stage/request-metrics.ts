/**
 * Outcome of a run task request. taken: the service accepted it. failed: it did not, and the server tries again.
 * refused: the request may not be sent, or its task was deleted. silent: the service reported nothing in time,
 * whether or not it accepted the request.
 */
export type RequestOutcome = 'taken' | 'failed' | 'refused' | 'silent';

/** Counts the requests that this node has sent since its start. */
export class RequestMetrics {
  readonly #counts = new Map<RequestOutcome, number>();

  count(outcome: RequestOutcome): void {
    this.#counts.set(outcome, (this.#counts.get(outcome) ?? 0) + 1);
  }

  all(): { readonly outcome: RequestOutcome; readonly value: number }[] {
    return [...this.#counts].map(([outcome, value]) => ({ outcome, value }));
  }
}
