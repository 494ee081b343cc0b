import { tooMany } from './evict.ts';
import { Pace, type RateState, type Taken } from './pace.ts';

/**
 * @limit addresses, and callers, of whom it is kept how often they asked, of each limit, entries -> the one that was quiet longest is forgotten, and begins anew
 */
const MOST_KEPT = 50_000;

/** Many who each may ask so often: of how many something is kept is bounded, and those who were quiet longest go first. */
export class Paces {
  readonly pace: Pace;
  readonly #most: number;
  /** The one who asked last is last. */
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

  /** One more, whether or not it would have been let in. */
  charge(who: string, now: number): void {
    this.#keep(who, this.pace.charge(this.#kept.get(who), now));
  }

  /** What was taken is not counted. */
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
