import { adjustCount } from '../peer/client-network.ts';
import type { RateState } from './pace.ts';
import { Paces } from './paces.ts';

const MINUTE_MS = 60_000;
/** @limit addresses with refused logins that other nodes and workers are told of, in each second, addresses -> they are told of the others later */
const MOST_TOLD = 50;
/** @limit addresses with refused logins that wait to be told, addresses -> those are counted here alone */
const MOST_WAITING = 10_000;

/** Logins that were refused, by address: those here, and those that other processes of the same installation tell of. */
export class FailedLogins {
  readonly #paces: Paces;
  readonly #now: () => number;
  /** Not more than there are requests. */
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
   * What an address still has: with nothing remaining its logins are refused before anything is looked up. Those under way may all be refused
   * yet: guesses that come together are not let in together.
   */
  remainingOf(network: string): RateState {
    const { remaining, waitMs } = this.#paces.stateOf(network, this.#now());
    return { remaining: Math.max(0, remaining - (this.#underWay.get(network) ?? 0)), waitMs };
  }

  /** One is let in, whose `end` comes in any case. */
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

  /** What others have counted. */
  addFromOtherProcess(network: string, count: number): void {
    for (let i = 0; i < Math.min(count, this.count); i++) this.#paces.charge(network, this.#now());
  }

  /** From now on what is counted here is kept for `untold`. */
  startSharing(): void {
    this.#isSharing = true;
  }

  /** What others have not been told yet, in part; it counts as told. */
  untold(): readonly (readonly [network: string, count: number])[] {
    const told = [...this.#takeUnshared].slice(0, MOST_TOLD);
    for (const [network] of told) this.#takeUnshared.delete(network);
    return told;
  }
}
