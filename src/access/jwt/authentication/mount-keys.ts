import { type IssuerKeys, type KeyMetrics, KeysError, keyFromPem, RemoteKeys, staticKeys } from '../../../jwt/index.ts';
import type { Clock } from '../../../lib/clock.ts';
import type { GuardedFetch } from '../../../outbound/guarded-fetch.ts';
import { type JwtConfig, keyPlaces } from '../settings/jwt-config.ts';

/** Key sources of a mount's configuration. Fetched keys stay cached while their source is configured. */
export class MountKeys {
  readonly #fetch: GuardedFetch;
  readonly #clock: Clock;
  #config: JwtConfig | undefined;
  #current: ReadonlyMap<string, IssuerKeys> = new Map();

  constructor(fetch: GuardedFetch, clock: Clock) {
    this.#fetch = fetch;
    this.#clock = clock;
  }

  keysFor(config: JwtConfig): readonly IssuerKeys[] {
    if (config !== this.#config) this.#configure(config);
    return [...this.#current.values()];
  }

  /** Returns why the keys of a configuration cannot be fetched, or undefined. */
  async fault(config: JwtConfig): Promise<string | undefined> {
    const places = keyPlaces(config).map((place) => new RemoteKeys(this.#fetch, place, this.#clock));
    try {
      await Promise.all(places.map((place) => place.check()));
      return undefined;
    } catch (error) {
      if (error instanceof KeysError) return error.message;
      throw error;
    }
  }

  metrics(): readonly KeyMetrics[] {
    return [...this.#current.values()].map((keys) => keys.metrics()).filter((metrics) => metrics !== undefined);
  }

  stop(): void {
    for (const keys of this.#current.values()) keys.stop();
    this.#current = new Map();
    this.#config = undefined;
  }

  #configure(config: JwtConfig): void {
    const before = this.#current;
    const written = config.jwt_validation_pubkeys.map(keyFromPem).filter((key) => key !== undefined);
    const remote = keyPlaces(config).map((place) => {
      const name = JSON.stringify(place);
      return [name, before.get(name) ?? new RemoteKeys(this.#fetch, place, this.#clock)] as const;
    });
    this.#current = new Map(remote.length > 0 ? remote : [['', staticKeys(written)]]);
    this.#config = config;
    for (const [name, keys] of before) if (this.#current.get(name) !== keys) keys.stop();
  }
}
