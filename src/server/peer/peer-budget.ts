import type { Clock } from '../../lib/clock.ts';
import { AppError } from '../../lib/errors.ts';
import { lruCache } from '../../lib/lru-cache.ts';
import { network } from './client-network.ts';

/** Bytes. A bucket holds that much and earns as much again in an hour. */
export interface ChainMemory {
  /** What chains of one address that led nowhere may take. */
  readonly ofAddress: number;
  /** The same for all addresses together. Strangers may have half of it, addresses with a good login all. */
  readonly ofAll: number;
}

export const DEFAULT_CHAIN_MEMORY: ChainMemory = {
  /**
   * @limit memory that chains of one address may take for good when they lead nowhere, at once and again in each hour, bytes -> 429 with Retry-After
   * @setting limits.chain_memory_per_address
   */
  ofAddress: 8 * 1024 * 1024,
  /**
   * @limit the same for all addresses, half of it for those with a good login in the last day; chains of new intermediates that lead to a role as much again, bytes -> 429 with Retry-After
   * @setting limits.chain_memory
   */
  ofAll: 64 * 1024 * 1024,
};

/**
 * Native memory that a byte of a presented certificate can take for good, bytes. Measured on Node.js 24.21: 55 for one full of
 * alternative names of no length, 8 to 24 for ordinary ones of 1.3 to 0.4 kB.
 * @limit memory that is counted for each byte of a presented certificate, bytes -> measured: 55 for the worst
 */
export const MEMORY_OF_BYTE = 64;
/**
 * Addresses whose buckets are kept; the one that was not used for longest begins anew.
 * @limit addresses whose chains are counted, addresses -> the one unused for longest begins anew
 */
export const MAX_ADDRESSES = 10_000;
/**
 * How long an address with a good login is no stranger, milliseconds.
 * @limit the time for which an address with a good login is no stranger, ms -> it is one again
 */
export const KNOWN_FOR_MS = 24 * 3_600_000;
/**
 * Nobody is told to wait longer, seconds.
 * @limit what Retry-After tells for a chain, seconds -> so much is told
 */
const MAX_RETRY_AFTER = 3600;

/** What became of chains, and the memory that they may have taken at most. */
export interface ChainMetrics {
  /** Chains: `proven` led to a role's authority by intermediates that were new; `charged` did not; `refused` were not read. */
  readonly chains: Readonly<Record<'proven' | 'charged' | 'refused', number>>;
  /** Since the start. */
  readonly bytes: number;
}

/** A chain that was read. */
export interface ReadChain {
  /** Gives back what this many bytes of its certificates cost: they led to a role's authority. */
  proved(bytes: number): void;
}

/**
 * How much of presented chains may be read: Node 24 never frees the memory of a presented intermediate that was (nodejs/node#65579).
 * How many bytes came at most is known before, so nothing goes into debt. A chain that led to a role's authority by
 * intermediates that were new is free for its address and paid for from a bucket of its own: so what is taken is bounded whoever it is.
 */
export class PeerBudget {
  readonly #memory: ChainMemory;
  readonly #now: Clock;
  readonly #strangers: Bucket;
  readonly #known: Bucket;
  readonly #proven: Bucket;
  readonly #addresses = lruCache<string, Bucket>(MAX_ADDRESSES);
  /** With the time of the last good login. */
  readonly #goodLogins = lruCache<string, number>(MAX_ADDRESSES);
  readonly #chains = { proven: 0, charged: 0, refused: 0 };
  #bytes = 0;

  constructor(now: Clock, memory: ChainMemory = DEFAULT_CHAIN_MEMORY) {
    this.#memory = memory;
    this.#now = now;
    this.#strangers = new Bucket(memory.ofAll / 2, now());
    this.#known = new Bucket(memory.ofAll / 2, now());
    this.#proven = new Bucket(memory.ofAll, now());
  }

  /**
   * Seconds until a chain may be read; 0: now.
   * @param most bytes of certificates that there can be
   */
  wait(address: string, most: number): number {
    const cost = most * MEMORY_OF_BYTE;
    const shared = this.#sharedBy(address).map((bucket) => bucket.wait(cost, this.#now()));
    const seconds = Math.max(this.#bucket(address).wait(cost, this.#now()), Math.min(...shared));
    return Math.min(Math.ceil(seconds), MAX_RETRY_AFTER);
  }

  /** @throws AppError `too-many-requests`, for a chain that is not read; with the seconds after which it may be */
  refuse(seconds: number): never {
    this.#chains.refused += 1;
    throw new AppError('too-many-requests', 'too many certificate chains were presented; try again later', {
      title: 'Too many requests',
      retryAfter: seconds,
    });
  }

  /** Pays for what was read. @param bytes of certificates: at most as many as `wait` was asked for */
  charge(address: string, bytes: number): ReadChain {
    const cost = bytes * MEMORY_OF_BYTE;
    const own = this.#bucket(address);
    const shared = this.#sharedBy(address).find((bucket) => bucket.wait(cost, this.#now()) === 0) ?? this.#strangers;
    own.take(cost);
    shared.take(cost);
    this.#bytes += cost;
    if (bytes > 0) this.#chains.charged += 1;
    return {
      proved: (bytesProved) => {
        const back = bytesProved * MEMORY_OF_BYTE;
        if (bytesProved === 0 || this.#proven.wait(back, this.#now()) > 0) return;
        this.#chains.charged -= 1;
        this.#chains.proven += 1;
        this.#proven.take(back);
        own.take(-back);
        shared.take(-back);
      },
    };
  }

  /** Somebody at this address was let in. */
  admitted(address: string): void {
    this.#goodLogins.set(network(address), this.#now());
  }

  metrics(): ChainMetrics {
    return { chains: { ...this.#chains }, bytes: this.#bytes };
  }

  /** In the order in which they pay. */
  #sharedBy(address: string): readonly Bucket[] {
    const last = this.#goodLogins.get(network(address));
    const isKnown = last !== undefined && this.#now() - last < KNOWN_FOR_MS;
    return isKnown ? [this.#strangers, this.#known] : [this.#strangers];
  }

  #bucket(address: string): Bucket {
    const key = network(address);
    const bucket = this.#addresses.get(key) ?? new Bucket(this.#memory.ofAddress, this.#now());
    this.#addresses.set(key, bucket);
    return bucket;
  }
}

const HOUR_SECONDS = 3600;

class Bucket {
  readonly #size: number;
  #level: number;
  #at: number;

  constructor(size: number, now: number) {
    this.#size = size;
    this.#level = size;
    this.#at = now;
  }

  /** Seconds until there is enough; infinite for what it can never hold. */
  wait(cost: number, now: number): number {
    const earned = (Math.max(0, now - this.#at) / 1000 / HOUR_SECONDS) * this.#size;
    this.#level = Math.min(this.#size, this.#level + earned);
    this.#at = now;
    if (cost > this.#size) return Number.POSITIVE_INFINITY;
    return Math.max(0, ((cost - this.#level) / this.#size) * HOUR_SECONDS);
  }

  /** Less than nothing gives back. */
  take(cost: number): void {
    this.#level = Math.min(this.#size, this.#level - cost);
  }
}
