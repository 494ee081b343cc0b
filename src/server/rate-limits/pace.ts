/** What somebody may still do at a moment. */
export interface RateState {
  /** How many at once are let in, after this one. */
  readonly remaining: number;
  /** Until one more is let in, milliseconds; 0 while some remain. */
  readonly waitMs: number;
}

/** What asking for one more came to. */
export interface Taken extends RateState {
  readonly isLetIn: boolean;
  /** What is to be kept: when all that was let in so far would be over, had it come evenly. */
  readonly until: number;
}

/**
 * So many in a period, all of them at once if need be: the generic cell rate algorithm (ITU-T I.371, as a virtual schedule). What is kept
 * of somebody is one moment; one in the past says nothing, so whoever has been quiet for a period can be forgotten.
 */
export class Pace {
  readonly count: number;
  readonly #periodMs: number;
  readonly #stepMs: number;

  constructor(count: number, periodMs: number) {
    this.count = count;
    this.#periodMs = periodMs;
    this.#stepMs = periodMs / count;
  }

  /** @param until what is kept of them; undefined for somebody who is new */
  take(until: number | undefined, now: number): Taken {
    const next = this.#from(until, now) + this.#stepMs;
    const isLetIn = next - now <= this.#periodMs + ROUNDING_MS;
    const kept = isLetIn ? next : (until ?? now);
    return { isLetIn, until: kept, ...this.stateOf(kept, now) };
  }

  /** One more, whether or not it would have been let in; no more than a period ahead. */
  charge(until: number | undefined, now: number): number {
    return Math.min(this.#from(until, now) + this.#stepMs, now + this.#periodMs);
  }

  giveBack(until: number): number {
    return until - this.#stepMs;
  }

  stateOf(until: number | undefined, now: number): RateState {
    const room = this.#periodMs - (this.#from(until, now) - now) + ROUNDING_MS;
    const remaining = Math.max(0, Math.floor(room / this.#stepMs));
    return { remaining, waitMs: remaining > 0 ? 0 : Math.max(0, this.#stepMs - room) };
  }

  #from(until: number | undefined, now: number): number {
    return Math.max(until ?? now, now);
  }
}

/** Sums of fractions of a period are not exactly it. */
const ROUNDING_MS = 0.000_1;
