import { adjustCount, network } from '../peer/client-network.ts';

/** Bounds on all listeners of a server together. */
export interface ServerLimits {
  /** Requests at a time, those that wait for their bodies or whose answers are not read yet included. */
  readonly requests: number;
  /** Answers that were made and that their clients have not taken, bytes. */
  readonly unsentBytes: number;
  /** Answers at a time that have no end of their own. */
  readonly streams: number;
}

export const DEFAULT_SERVER_LIMITS: ServerLimits = {
  /**
   * @limit requests that are answered at a time on all listeners, half of them for one address, requests -> 503 with Retry-After; health is answered
   * @setting limits.requests_in_flight
   */
  requests: 4_000,
  /** @limit answers that clients have not taken, on all connections, bytes -> the connection that has stood still longest is closed */
  unsentBytes: 134_217_728,
  /** @limit streams of events on all listeners, half of them for one address, streams -> 503 with Retry-After */
  streams: 2_000,
};

/** What one address may have of the requests in flight. A proxy that may speak for its clients may have them all. */
const SHARE_OF_AN_ADDRESS = 0.5;
/** What a client is told to wait when there are too many, seconds. */
export const RETRY_AFTER_SECONDS = 1;

/** How many requests there are. */
export class InFlight {
  readonly #most: number;
  readonly #mostOfAddress: number;
  readonly #addresses = new Map<string, number>();
  #count = 0;

  constructor(most: number) {
    this.#most = most;
    this.#mostOfAddress = Math.max(1, Math.floor(most * SHARE_OF_AN_ADDRESS));
  }

  /** Counts one more; false, and nothing is counted, when there are too many: what is refused keeps nobody else out. */
  enter(address: string, isProxy: () => boolean): boolean {
    const key = network(address);
    if (this.#count >= this.#most) return false;
    if ((this.#addresses.get(key) ?? 0) >= this.#mostOfAddress && !isProxy()) return false;
    this.#count++;
    adjustCount(this.#addresses, key, 1);
    return true;
  }

  /** For each that was counted. */
  leave(address: string): void {
    this.#count--;
    adjustCount(this.#addresses, network(address), -1);
  }
}
