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
  readonly #untold = new Map<string, number>();
  #isTelling = false;

  constructor(perMinute: number, now: () => number) {
    this.#paces = new Paces(perMinute, MINUTE_MS);
    this.#now = now;
  }

  get count(): number {
    return this.#paces.pace.count;
  }

  /** What an address still has: with nothing remaining its logins are refused before anything is looked up. */
  standing(network: string): Standing {
    return this.#paces.standing(network, this.#now());
  }

  add(network: string): void {
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
