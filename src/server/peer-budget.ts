import { LRUCache } from 'lru-cache';
import type { Clock } from '../lib/clock.ts';
import { AppError } from '../lib/errors.ts';
import { network } from './network.ts';

/** A bucket holds `certificates` at most and is refilled by `perSecond`. */
export interface BudgetOptions {
  readonly certificates: number;
  readonly perSecond: number;
}

/** At about 9 kB a certificate, all addresses together leak 18 kB a second at most, one address 4.5 kB. */
const EVERYBODY: BudgetOptions = { certificates: 600, perSecond: 2 };
const ONE_ADDRESS: BudgetOptions = { certificates: 60, perSecond: 0.5 };
const ADDRESSES = 10_000;

/**
 * How many presented intermediates may be read in a time: Node 24 never frees the memory of one that was (nodejs/node#65579).
 * How many there are is known only afterwards, so a bucket can go into debt; nothing is admitted until it has paid.
 */
export class PeerBudget {
  readonly #now: Clock;
  readonly #everybody: Bucket;
  readonly #addresses = new LRUCache<string, Bucket>({ max: ADDRESSES });

  constructor(now: Clock) {
    this.#now = now;
    this.#everybody = new Bucket(EVERYBODY, now());
  }

  /** @throws AppError `too-many-requests` */
  admit(address: string): void {
    const now = this.#now();
    if (this.#everybody.level(now) > 0 && this.#bucket(address).level(now) > 0) return;
    throw new AppError('too-many-requests', 'too many certificate chains were presented; try again later', {
      title: 'Too many requests',
    });
  }

  charge(address: string, certificates: number): void {
    this.#everybody.take(certificates);
    this.#bucket(address).take(certificates);
  }

  #bucket(address: string): Bucket {
    const key = network(address);
    const bucket = this.#addresses.get(key) ?? new Bucket(ONE_ADDRESS, this.#now());
    this.#addresses.set(key, bucket);
    return bucket;
  }
}

class Bucket {
  readonly #options: BudgetOptions;
  #level: number;
  #at: number;

  constructor(options: BudgetOptions, now: number) {
    this.#options = options;
    this.#level = options.certificates;
    this.#at = now;
  }

  level(now: number): number {
    const earned = (Math.max(0, now - this.#at) / 1_000) * this.#options.perSecond;
    this.#level = Math.min(this.#options.certificates, this.#level + earned);
    this.#at = now;
    return this.#level;
  }

  take(certificates: number): void {
    this.#level -= certificates;
  }
}
