import { AppError } from '../../../lib/errors.ts';

/** @limit body of one delivery of a webhook, bytes -> 413; a look-up finds the change within 10 minutes */
export const MAX_DELIVERY = 25 * 1_048_576;
/** @limit memory for bodies of webhook deliveries of a node, bytes -> 503; a look-up finds the change later */
const MOST_BYTES = 6 * MAX_DELIVERY;
/** @limit memory for bodies of deliveries of the webhooks of one organization, bytes -> 503; a look-up finds the change later */
const MOST_OF_ORGANIZATION = 2 * MAX_DELIVERY;

/** Memory of one body. */
export interface BodyMemory {
  /** Takes memory for bytes that have arrived. @throws 503 if too many are in memory */
  take(bytes: number): void;
  /** Gives all of it back. */
  end(): void;
}

/**
 * Memory for the bodies of deliveries, which must be complete before they can be proved. Only bytes that have arrived
 * count, and only for their organization: a body that is announced and never sent keeps no other waiting.
 */
export class BodyBudget {
  readonly #ofOrganizations = new Map<string, number>();
  #bytes = 0;

  /** Begins a body of a webhook of an organization. */
  begin(organizationId: string): BodyMemory {
    let taken = 0;
    return {
      take: (bytes) => {
        const used = this.#ofOrganizations.get(organizationId) ?? 0;
        if (this.#bytes + bytes > MOST_BYTES || used + bytes > MOST_OF_ORGANIZATION) throw tooMany();
        taken += bytes;
        this.#add(organizationId, bytes);
      },
      end: () => this.#add(organizationId, -taken),
    };
  }

  #add(organizationId: string, bytes: number): void {
    this.#bytes += bytes;
    const used = (this.#ofOrganizations.get(organizationId) ?? 0) + bytes;
    if (used > 0) this.#ofOrganizations.set(organizationId, used);
    else this.#ofOrganizations.delete(organizationId);
  }
}

const tooMany = (): AppError =>
  new AppError('unavailable', 'too many deliveries are being received; try again later', { retryAfter: 30 });
