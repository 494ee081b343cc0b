/** Remaining allowance at a given time. */
export interface RateState {
  /** Number of further requests allowed at once. */
  readonly remaining: number;
  /** Time until the next allowed request, milliseconds; 0 while some remain. */
  readonly waitMs: number;
}

/** Result of one request. */
export interface Taken extends RateState {
  readonly isLetIn: boolean;
  /** New state: the theoretical arrival time of GCRA. */
  readonly until: number;
}

/**
 * Generic cell rate algorithm (GCRA, ITU-T I.371, virtual scheduling): a number of requests in a period, also as one
 * burst. The state is one time. A time in the past carries no information, so idle callers can be forgotten.
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

  /** @param until state of the caller; undefined for a new one */
  take(until: number | undefined, now: number): Taken {
    const next = this.#from(until, now) + this.#stepMs;
    const isLetIn = next - now <= this.#periodMs + ROUNDING_MS;
    const kept = isLetIn ? next : (until ?? now);
    return { isLetIn, until: kept, ...this.stateOf(kept, now) };
  }

  /** Counts a request even if it exceeds the limit, at most one period ahead. */
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

/** Compensates rounding of fractions of a period. */
const ROUNDING_MS = 0.000_1;
