import type { Clock } from '../../lib/clock.ts';
import type { GuardedFetch } from '../../outbound/guarded-fetch.ts';
import { type FetchedKeys, fetchKeys, type KeyPlace, KeysError } from './fetch-keys.ts';
import { candidates, type VerificationKey } from './key-set.ts';

/** From here on they are fetched again while those that are there are still used. */
const SOON_MS = 5 * 60_000;
/** From here on whoever needs them waits for that: what an issuer has withdrawn is not used for longer. */
const FRESH_MS = 10 * 60_000;
/** While the issuer is away its keys are used for so long. */
const LAST_MS = 24 * 3_600_000;
/** Between two fetches for a key that is not known, or after one that failed: whoever makes up keys asks for no more. */
const PAUSE_MS = 10_000;

/** How the keys of an issuer are doing. */
export interface KeyMetrics {
  readonly keys: number;
  /** Milliseconds since they were fetched; undefined: never. */
  readonly age: number | undefined;
  /** Since the start. */
  readonly fetched: number;
  readonly failed: number;
}

/** Where the keys that may have signed a token come from. */
export interface IssuerKeys {
  /** @throws KeysError when there are none, and none to be had */
  candidates(algorithm: string, id: string | undefined): Promise<readonly VerificationKey[]>;
  /** What the issuer is called, where its own document has said so. */
  issuer(): string | undefined;
  metrics(): KeyMetrics | undefined;
  stop(): void;
}

/** Keys that somebody wrote down. */
export function staticKeys(keys: readonly VerificationKey[]): IssuerKeys {
  return {
    candidates: async (algorithm, id) => candidates(keys, algorithm, id),
    issuer: () => undefined,
    metrics: () => undefined,
    stop() {},
  };
}

/** Keys that an issuer publishes: fetched once for all who wait for them, and kept. */
export class RemoteKeys implements IssuerKeys {
  readonly #fetch: GuardedFetch;
  readonly #place: KeyPlace;
  readonly #clock: Clock;
  readonly #stopped = new AbortController();
  #found: FetchedKeys | undefined;
  #fetchedAt = Number.NEGATIVE_INFINITY;
  #triedAt = Number.NEGATIVE_INFINITY;
  #running: Promise<void> | undefined;
  #fault = 'not fetched yet';
  #fetched = 0;
  #failed = 0;

  constructor(fetch: GuardedFetch, place: KeyPlace, clock: Clock) {
    this.#fetch = fetch;
    this.#place = place;
    this.#clock = clock;
  }

  async candidates(algorithm: string, id: string | undefined): Promise<readonly VerificationKey[]> {
    await this.#current();
    const known = candidates(this.#keys(), algorithm, id);
    if (known.length > 0) return known;
    await this.#refresh();
    return candidates(this.#keys(), algorithm, id);
  }

  issuer(): string | undefined {
    return this.#found?.issuer;
  }

  /** @throws KeysError */
  async check(): Promise<void> {
    await this.#refresh();
    if (this.#failed > 0) throw new KeysError(this.#fault);
  }

  metrics(): KeyMetrics {
    const age = this.#found && this.#clock() - this.#fetchedAt;
    return { keys: this.#found?.keys.length ?? 0, age, fetched: this.#fetched, failed: this.#failed };
  }

  stop(): void {
    this.#stopped.abort();
  }

  async #current(): Promise<void> {
    const age = this.#clock() - this.#fetchedAt;
    if (age >= FRESH_MS) await this.#refresh();
    else if (age >= SOON_MS) void this.#refresh();
  }

  #keys(): readonly VerificationKey[] {
    const isThere = this.#found && this.#clock() - this.#fetchedAt < LAST_MS;
    if (this.#found && isThere) return this.#found.keys;
    throw new KeysError(this.#fault);
  }

  /** Waits for the fetch that goes on, or for one that is due. Never rejects. */
  #refresh(): Promise<void> {
    if (this.#running) return this.#running;
    if (this.#clock() - this.#triedAt < PAUSE_MS) return Promise.resolve();
    this.#triedAt = this.#clock();
    this.#running = this.#fetchNow().finally(() => {
      this.#running = undefined;
    });
    return this.#running;
  }

  async #fetchNow(): Promise<void> {
    const at = this.#clock();
    try {
      this.#found = await fetchKeys(this.#fetch, this.#place, this.#stopped.signal);
      this.#fetchedAt = at;
      this.#fetched++;
    } catch (error) {
      this.#failed++;
      this.#fault = error instanceof KeysError ? error.message : 'the connection failed';
    }
  }
}
