import { adjustCount } from '../peer/client-network.ts';
import type { RateState } from './pace.ts';
import { Paces } from './paces.ts';

const MINUTE_MS = 60_000;
/**
 * @limit IP addresses with refused logins that are reported to other nodes and workers, per second, addresses -> the
 * others are reported later
 */
const MOST_TOLD = 50;
/**
 * @limit IP addresses with refused logins that wait to be reported, addresses -> further addresses count only in this
 * process
 */
const MOST_WAITING = 10_000;

/** Counts refused logins by IP address: local ones, and those that other processes of this server report. */
export class FailedLogins {
  readonly #paces: Paces;
  readonly #now: () => number;
  /** Logins in progress by caller. There cannot be more entries than requests in progress. */
  readonly #underWay = new Map<string, number>();
  readonly #takeUnshared = new Map<string, number>();
  #isSharing = false;

  constructor(perMinute: number, now: () => number) {
    this.#paces = new Paces(perMinute, MINUTE_MS);
    this.#now = now;
  }

  get count(): number {
    return this.#paces.pace.count;
  }

  /**
   * Returns the remaining budget of an IP address. Without budget, logins are refused before any look-up. Pending
   * logins count as refused, so that concurrent guesses cannot exceed the limit.
   */
  remainingOf(network: string): RateState {
    const { remaining, waitMs } = this.#paces.stateOf(network, this.#now());
    return { remaining: Math.max(0, remaining - (this.#underWay.get(network) ?? 0)), waitMs };
  }

  /** Starts a login; `end` always follows. */
  loginStarted(network: string): void {
    adjustCount(this.#underWay, network, 1);
  }

  loginEnded(network: string, isRefused: boolean): void {
    adjustCount(this.#underWay, network, -1);
    if (isRefused) this.#add(network);
  }

  #add(network: string): void {
    this.#paces.charge(network, this.#now());
    if (this.#isSharing && (this.#takeUnshared.has(network) || this.#takeUnshared.size < MOST_WAITING))
      this.#takeUnshared.set(network, (this.#takeUnshared.get(network) ?? 0) + 1);
  }

  /** Adds counts of other processes. */
  addFromOtherProcess(network: string, count: number): void {
    for (let i = 0; i < Math.min(count, this.count); i++) this.#paces.charge(network, this.#now());
  }

  /** Starts collecting local counts for `untold`. */
  startSharing(): void {
    this.#isSharing = true;
  }

  /** Returns some unreported counts and marks them as reported. */
  untold(): readonly (readonly [network: string, count: number])[] {
    const told = [...this.#takeUnshared].slice(0, MOST_TOLD);
    for (const [network] of told) this.#takeUnshared.delete(network);
    return told;
  }
}
