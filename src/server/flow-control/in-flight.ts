import { adjustCount, network } from '../peer/client-network.ts';

/** Limits across all listeners of a server. */
export interface ServerLimits {
  /** Maximum requests in flight, including those that wait for their body or whose response is unread. */
  readonly requests: number;
  /** Maximum size of unread responses, bytes. */
  readonly unsentBytes: number;
  /** Maximum number of open event streams. */
  readonly streams: number;
}

export const DEFAULT_SERVER_LIMITS: ServerLimits = {
  /**
   * @limit requests in flight on all listeners, half of them for one IP address, requests -> 503 with Retry-After;
   * health checks are exempt
   * @setting limits.requests_in_flight
   */
  requests: 4_000,
  /** @limit unread responses on all connections, bytes -> the connection that is blocked longest is closed */
  unsentBytes: 134_217_728,
  /** @limit event streams on all listeners, half of them for one IP address, streams -> 503 with Retry-After */
  streams: 2_000,
};

/** Share of the limit that one IP address may use. A trusted proxy may use the whole limit. */
const SHARE_OF_AN_ADDRESS = 0.5;
/** Value of the header `Retry-After`, seconds. */
export const RETRY_AFTER_SECONDS = 1;

/** Counter of requests in flight. */
export class InFlight {
  readonly #most: number;
  readonly #mostOfAddress: number;
  readonly #addresses = new Map<string, number>();
  #count = 0;

  constructor(most: number) {
    this.#most = most;
    this.#mostOfAddress = Math.max(1, Math.floor(most * SHARE_OF_AN_ADDRESS));
  }

  /**
   * Counts one more. Returns false without counting if the limit is reached, so that refused requests take no share.
   */
  enter(address: string, isProxy: () => boolean): boolean {
    const key = network(address);
    if (this.#count >= this.#most) return false;
    if ((this.#addresses.get(key) ?? 0) >= this.#mostOfAddress && !isProxy()) return false;
    this.#count++;
    adjustCount(this.#addresses, key, 1);
    return true;
  }

  /** Removes one that was counted. */
  leave(address: string): void {
    this.#count--;
    adjustCount(this.#addresses, network(address), -1);
  }
}
