import type { Clock } from '../../../lib/clock.ts';
import type { GuardedFetch } from '../../../outbound/guarded-fetch.ts';
import type { Random } from '../../../revocation/crl/index.ts';
import type { Database } from '../../../storage/index.ts';
import type { Certificate } from '../../../x509/index.ts';
import type { Verdict } from '../../method/index.ts';
import type { RevocationChecks } from '../authentication/revocation-checks.ts';
import { ContentStore } from './content-store.ts';
import { CrlContents } from './crl-contents.ts';
import { CrlIntake } from './crl-intake.ts';
import { CrlRefresher, type FetchOutcome } from './crl-refresher.ts';
import { CrlRegistry } from './crl-registry.ts';
import { CrlService } from './crl-service.ts';
import { CrlStore } from './crl-store.ts';
import { anchorRefusals, crlVerdicts } from './crl-verdicts.ts';
import type { Authorities } from './loaded-crl.ts';

export { crlOperations } from './crl-operations.ts';
export type { CrlMetrics } from './crl-service.ts';
export { crlFacts } from './list-facts.ts';

export interface CrlDependencies {
  readonly database: Database;
  readonly mountId: string;
  readonly fetch: GuardedFetch;
  /** Returns the current anchors of all roles of the mount. */
  readonly authorities: () => Promise<Authorities>;
  /** Returns some of the anchors, without duplicates. */
  readonly trusted: (most: number) => Promise<readonly Certificate[]>;
  /** Whether to accept SHA-1 signatures. */
  readonly allowSha1: boolean;
  readonly clock: Clock;
  /** Called for background errors that are not the CRL server's fault. */
  readonly report: (error: unknown) => void;
  /** Source of random numbers. Default: `Math.random`. */
  readonly random?: Random;
}

/** CRLs (certificate revocation lists) of one mount: their management and the checks of a login. */
export class Crls implements RevocationChecks {
  readonly service: CrlService;
  readonly refresher: CrlRefresher;
  readonly #registry: CrlRegistry;
  readonly #fetches = { fetched: 0, unchanged: 0, failed: 0 };
  readonly #clock: Clock;

  constructor(dependencies: CrlDependencies) {
    const { database, mountId, fetch, authorities, trusted, allowSha1, clock, report } = dependencies;
    const { random = Math.random } = dependencies;
    const count = (outcome: FetchOutcome) => {
      this.#fetches[outcome] += 1;
    };
    const store = new CrlStore(database, mountId);
    const contents = new CrlContents(new ContentStore(database), { allowSha1 });
    const registry = new CrlRegistry(store, contents, authorities);
    const intake = new CrlIntake(contents, fetch, authorities);
    this.service = new CrlService({ store, registry, intake, clock, random, trusted });
    this.refresher = new CrlRefresher({ store, contents, registry, intake, clock, random, report, count });
    this.#registry = registry;
    this.#clock = clock;
  }

  /** Returns the number of background fetches since the start, by result. */
  fetches(): Readonly<Record<FetchOutcome, number>> {
    return { ...this.#fetches };
  }

  /** Checks a path (leaf first, anchor last) against the CRLs in force. Rejects if they cannot be loaded. */
  async verdicts(path: readonly Certificate[], _role?: unknown, mountVersion?: number): Promise<readonly Verdict[]> {
    return crlVerdicts(await this.#registry.current(mountVersion), path, this.#clock());
  }

  /**
   * Returns why the CRLs in force refuse every login through a trusted certificate. Rejects if they cannot be loaded.
   */
  async refusals(anchor: Certificate): Promise<readonly Verdict[]> {
    return anchorRefusals(await this.#registry.current(), anchor, this.#clock());
  }
}
