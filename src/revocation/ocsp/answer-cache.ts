import { LRUCache } from 'lru-cache';
import type { Clock } from '../../lib/clock.ts';
import type { Outcome } from './outcome.ts';

/**
 * Maximum time that a response is cached, even if the responder gives it a longer validity.
 * @limit time for which an OCSP response is cached, ms -> the responder is queried again
 */
const MAX_AGE_MS = 24 * 3_600_000;

interface Entry {
  readonly outcomes: readonly Outcome[];
  readonly expiresAt: number;
}

/** LRU cache of conclusive responses, each valid until the first of its outcomes expires. */
export class AnswerCache {
  readonly #clock: Clock;
  #entries: LRUCache<string, Entry>;

  constructor(size: number, clock: Clock) {
    this.#clock = clock;
    this.#entries = new LRUCache({ max: size });
  }

  get(key: string): readonly Outcome[] | undefined {
    const entry = this.#entries.get(key);
    if (entry === undefined || this.#clock() < entry.expiresAt) return entry?.outcomes;
    this.#entries.delete(key);
    return undefined;
  }

  /** Stores the outcomes. Does nothing without outcomes, or if one of them has no expiry. */
  set(key: string, outcomes: readonly Outcome[]): void {
    const now = this.#clock();
    const expiresAt = Math.min(now + MAX_AGE_MS, ...outcomes.map(({ validUntil }) => validUntil ?? now));
    if (outcomes.length > 0 && expiresAt > now) this.#entries.set(key, { outcomes, expiresAt });
  }

  /** Resizes the cache at once; a smaller cache evicts the least recently used responses. */
  resize(size: number): void {
    if (size === this.#entries.max) return;
    const entries = new LRUCache<string, Entry>({ max: size });
    entries.load(this.#entries.dump());
    this.#entries = entries;
  }

  clear(): void {
    this.#entries.clear();
  }

  get size(): number {
    return this.#entries.size;
  }
}
