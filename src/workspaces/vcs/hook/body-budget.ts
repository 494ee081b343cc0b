import { AppError } from '../../../lib/errors.ts';

/** @limit body of one delivery of a webhook, bytes -> 413; a look-up finds the change within 10 minutes */
export const MAX_DELIVERY = 25 * 1_048_576;
/** @limit memory for bodies of webhook deliveries of a node, bytes -> 503; a look-up finds the change later */
const MOST_BYTES = 6 * MAX_DELIVERY;
/** @limit memory for bodies of deliveries of one webhook, bytes -> 503; a look-up finds the change later */
const MOST_OF_HOOK = 2 * MAX_DELIVERY;

/** Memory for the bodies of deliveries, which must be complete before they can be proved. */
export class BodyBudget {
  readonly #ofHooks = new Map<string, number>();
  #bytes = 0;

  /**
   * Takes memory for a body. Returns the function that gives it back.
   * @param bytes length of the body; undefined if the request does not say it
   * @throws 503 if too many are in memory
   */
  take(hookId: string, bytes: number | undefined): () => void {
    const size = Math.min(bytes ?? MAX_DELIVERY, MAX_DELIVERY);
    const used = this.#ofHooks.get(hookId) ?? 0;
    if (this.#bytes + size > MOST_BYTES || used + size > MOST_OF_HOOK) {
      throw new AppError('unavailable', 'too many deliveries are being received; try again later', { retryAfter: 30 });
    }
    this.#add(hookId, size);
    return () => this.#add(hookId, -size);
  }

  #add(hookId: string, size: number): void {
    this.#bytes += size;
    const used = (this.#ofHooks.get(hookId) ?? 0) + size;
    if (used > 0) this.#ofHooks.set(hookId, used);
    else this.#ofHooks.delete(hookId);
  }
}
