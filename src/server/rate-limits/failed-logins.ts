import { adjustCount } from '../peer/client-network.ts';
import type { Standing } from './pace.ts';
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
  readonly #untold = new Map<string, number>();
  #isTelling = false;

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
  standing(network: string): Standing {
    const { remaining, waitMs } = this.#paces.standing(network, this.#now());
    return { remaining: Math.max(0, remaining - (this.#underWay.get(network) ?? 0)), waitMs };
  }

  /** One is let in, whose `end` comes in any case. */
  begin(network: string): void {
    adjustCount(this.#underWay, network, 1);
  }

  end(network: string, isRefused: boolean): void {
    adjustCount(this.#underWay, network, -1);
    if (isRefused) this.#add(network);
  }

  #add(network: string): void {
    this.#paces.charge(network, this.#now());
    if (this.#isTelling && (this.#untold.has(network) || this.#untold.size < MOST_WAITING))
      this.#untold.set(network, (this.#untold.get(network) ?? 0) + 1);
  }

  /** What others have counted. */
  hear(network: string, count: number): void {
    for (let i = 0; i < Math.min(count, this.count); i++) this.#paces.charge(network, this.#now());
  }

  /** From now on what is counted here is kept for `untold`. */
  tell(): void {
    this.#isTelling = true;
  }

  /** What others have not been told yet, in part; it counts as told. */
  untold(): readonly (readonly [network: string, count: number])[] {
    const told = [...this.#untold].slice(0, MOST_TOLD);
    for (const [network] of told) this.#untold.delete(network);
    return told;
  }
}
