import type { Clock } from '../../lib/clock.ts';
import { AppError } from '../../lib/errors.ts';
import { lruCache } from '../../lib/lru-cache.ts';
import { network } from './client-network.ts';

/** Token bucket sizes in bytes. A bucket refills within an hour. */
export interface ChainMemory {
  /** Budget of one IP address for chains that match no role. */
  readonly ofAddress: number;
  /**
   * Budget of all IP addresses in total. Unknown addresses may use half of it, addresses with a successful login all.
   */
  readonly ofAll: number;
}

export const DEFAULT_CHAIN_MEMORY: ChainMemory = {
  /**
   * @limit memory of client certificate chains of one IP address that match no role: at once and again in each hour,
   * bytes -> 429 with Retry-After
   * @setting limits.chain_memory_per_address
   */
  ofAddress: 8 * 1024 * 1024,
  /**
   * @limit total memory of client certificate chains of all IP addresses that match no role: at once and again in each
   * hour, half of it for addresses with a login in the last day; chains with new intermediates that match a role have an
   * equal budget, bytes -> 429 with Retry-After
   * @setting limits.chain_memory
   */
  ofAll: 64 * 1024 * 1024,
};

/**
 * Native memory that is never freed, per byte of a presented certificate, bytes. Measured on Node.js 24.21: 55 for a
 * certificate full of empty alternative names, 8 to 24 for ordinary ones of 1.3 to 0.4 kB.
 * @limit memory counted per byte of a presented certificate, bytes -> counts towards the budgets; the worst case
 * measured is 55
 */
export const MEMORY_OF_BYTE = 64;
/**
 * Maximum number of buckets. The least recently used one is dropped.
 * @limit IP addresses with a chain budget, addresses -> the least recently used one starts again with a full budget
 */
export const MAX_ADDRESSES = 10_000;
/**
 * Time that an IP address counts as known after a login, milliseconds.
 * @limit time that an IP address counts as known after a login, ms -> the address counts as unknown again
 */
export const KNOWN_FOR_MS = 24 * 3_600_000;
/**
 * Maximum Retry-After, seconds.
 * @limit Retry-After for a chain, seconds -> this maximum is sent
 */
const MAX_RETRY_AFTER = 3600;

/** Counters of chains, and an upper bound of their memory. */
export interface ChainMetrics {
  /**
   * Number of chains. `proven`: matched a role with new intermediates. `charged`: matched no role. `refused`: not
   * parsed.
   */
  readonly chains: Readonly<Record<'proven' | 'charged' | 'refused', number>>;
  /** Bytes since the start. */
  readonly bytes: number;
}

/** A parsed chain. */
export interface ReadChain {
  /** Refunds the cost of certificates that led to a role's CA. */
  proved(bytes: number): void;
}

/**
 * Rate limit for parsing presented chains, because Node.js 24 never frees the memory of parsed intermediates
 * (nodejs/node#65579). The maximum size is known in advance, so budgets never become negative. A chain with new
 * intermediates that matches a role is charged to a separate bucket instead of its address, so that the total stays
 * bounded for all clients.
 */
export class PeerBudget {
  readonly #memory: ChainMemory;
  readonly #now: Clock;
  readonly #strangers: Bucket;
  readonly #known: Bucket;
  readonly #proven: Bucket;
  readonly #addresses = lruCache<string, Bucket>(MAX_ADDRESSES);
  /** Known addresses with the time of their last login. */
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
   * Returns the seconds until a chain may be parsed; 0: now.
   * @param most maximum size of the certificates, bytes
   */
  wait(address: string, most: number): number {
    const cost = most * MEMORY_OF_BYTE;
    const shared = this.#sharedBy(address).map((bucket) => bucket.wait(cost, this.#now()));
    const seconds = Math.max(this.#bucket(address).wait(cost, this.#now()), Math.min(...shared));
    return Math.min(Math.ceil(seconds), MAX_RETRY_AFTER);
  }

  /** @throws AppError `too-many-requests` with Retry-After, if the chain must not be parsed */
  refuse(seconds: number): never {
    this.#chains.refused += 1;
    throw new AppError('too-many-requests', 'too many certificate chains were presented; try again later', {
      title: 'Too many requests',
      retryAfter: seconds,
    });
  }

  /** Charges a parsed chain. @param bytes of certificates, at most the number passed to `wait` */
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

  /** Marks an IP address as known after a login. */
  admitted(address: string): void {
    this.#goodLogins.set(network(address), this.#now());
  }

  metrics(): ChainMetrics {
    return { chains: { ...this.#chains }, bytes: this.#bytes };
  }

  /** Buckets in order of charging. */
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

  /** Returns the seconds until the bucket has enough. Infinity for more than its size. */
  wait(cost: number, now: number): number {
    const earned = (Math.max(0, now - this.#at) / 1000 / HOUR_SECONDS) * this.#size;
    this.#level = Math.min(this.#size, this.#level + earned);
    this.#at = now;
    if (cost > this.#size) return Number.POSITIVE_INFINITY;
    return Math.max(0, ((cost - this.#level) / this.#size) * HOUR_SECONDS);
  }

  /** A negative amount is a refund. */
  take(cost: number): void {
    this.#level = Math.min(this.#size, this.#level - cost);
  }
}
