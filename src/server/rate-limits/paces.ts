import { tooMany } from './evict.ts';
import { Pace, type RateState, type Taken } from './pace.ts';

/**
 * @limit IP addresses and callers tracked by each rate limit, entries -> the least recently active one is forgotten
 * and starts with a full allowance
 */
const MOST_KEPT = 50_000;

/** Rate limits of many callers in bounded memory. Evicts the least recently active callers. */
export class Paces {
  readonly pace: Pace;
  readonly #most: number;
  /** GCRA state of each caller, ordered by last request. */
  readonly #kept = new Map<string, number>();

  constructor(count: number, periodMs: number, most = MOST_KEPT) {
    this.pace = new Pace(count, periodMs);
    this.#most = most;
  }

  get size(): number {
    return this.#kept.size;
  }

  take(who: string, now: number): Taken {
    const taken = this.pace.take(this.#kept.get(who), now);
    this.#keep(who, taken.until);
    return taken;
  }

  /** Counts a request even if it exceeds the limit. */
  charge(who: string, now: number): void {
    this.#keep(who, this.pace.charge(this.#kept.get(who), now));
  }

  /** Takes back a counted request. */
  giveBack(who: string): void {
    const until = this.#kept.get(who);
    if (until !== undefined) this.#kept.set(who, this.pace.giveBack(until));
  }

  stateOf(who: string, now: number): RateState {
    return this.pace.stateOf(this.#kept.get(who), now);
  }

  #keep(who: string, until: number): void {
    this.#kept.delete(who);
    this.#kept.set(who, until);
    for (const quiet of tooMany(this.#kept, this.#most)) this.#kept.delete(quiet);
  }
}
