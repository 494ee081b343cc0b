import type { Clock } from '../../lib/clock.ts';
import type { GuardedFetch } from '../../outbound/guarded-fetch.ts';
import { type FetchedKeys, fetchKeys, type KeyPlace, KeysError } from './fetch-keys.ts';
import { candidates, type VerificationKey } from './key-set.ts';

/** Age from which the keys are refreshed in the background, while logins still use the cached ones. */
const SOON_MS = 5 * 60_000;
/** Age from which a login waits for the refresh, so that a withdrawn key is not accepted for longer. */
const FRESH_MS = 10 * 60_000;
/** Age up to which cached keys are used while the issuer is unreachable. */
const LAST_MS = 24 * 3_600_000;
/**
 * Minimum interval between two fetches for an unknown key, or after a failure. Tokens with invented key ids cannot
 * cause more requests.
 */
const PAUSE_MS = 10_000;

/** State of the cached keys of an issuer. */
export interface KeyMetrics {
  readonly keys: number;
  /** Milliseconds since the last successful fetch. Undefined: never fetched. */
  readonly age: number | undefined;
  /** Number of fetches since the start. */
  readonly fetched: number;
  readonly failed: number;
}

/** Source of the keys that may have signed a token. */
export interface IssuerKeys {
  /**
   * Returns the keys for an algorithm and a key id.
   * @throws KeysError if no keys are cached and none can be fetched
   */
  candidates(algorithm: string, id: string | undefined): Promise<readonly VerificationKey[]>;
  /** Returns the issuer that the discovery document names. Undefined without such a document. */
  issuer(): string | undefined;
  metrics(): KeyMetrics | undefined;
  stop(): void;
}

/** Returns keys that an administrator has configured. */
export function staticKeys(keys: readonly VerificationKey[]): IssuerKeys {
  return {
    candidates: async (algorithm, id) => candidates(keys, algorithm, id),
    issuer: () => undefined,
    metrics: () => undefined,
    stop() {},
  };
}

/** Read-through cache of an issuer's published keys. Concurrent callers share one fetch. */
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

  /**
   * Fetches the keys now.
   * @throws KeysError if the fetch fails
   */
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

  /** Waits for the running fetch, or starts one if it is due. Never rejects. */
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
