import type { OcspStats } from '../../revocation/ocsp-client.ts';
import type { Mounts } from '../mounts/index.ts';
import { CertMethod } from './cert-method.ts';
import type { CrlMetrics } from './crl/index.ts';
import type { AnchorExpiries } from './role/role-anchors.ts';

/** Metrics of the revocation checks of one mount. */
export interface RevocationMetrics {
  /** Path of the mount. */
  readonly mount: string;
  readonly crls: readonly CrlMetrics[];
  /** Number of fetches since the start by result: `fetched`, `unchanged`, `failed`. */
  readonly crlFetches: Readonly<Record<string, number>>;
  readonly ocsp: OcspStats;
}

/** Expiry of the certificates that the roles of one mount trust. */
export interface CaExpiries extends AnchorExpiries {
  /** Path of the mount. */
  readonly mount: string;
}

/** All cert methods of this process, at any mount. */
export class CertMethods {
  readonly #mounts: Mounts;

  constructor(mounts: Mounts) {
    this.#mounts = mounts;
  }

  /** Returns the cert method at a path, or undefined. */
  async methodAt(path: string): Promise<CertMethod | undefined> {
    const { table, methods } = this.#mounts;
    const found = await table.mountAt(path);
    const method = found?.rest === '' ? methods.methodOf(found.mount) : undefined;
    return method instanceof CertMethod ? method : undefined;
  }

  /**
   * Returns the expiry of the certificates of all mounts that have roles.
   * @param soon milliseconds from now
   */
  async caExpiries(soon: number): Promise<readonly CaExpiries[]> {
    const endings = (await this.#all()).map(async ({ mount, method }) => ({
      mount,
      ...(await method.caExpiries(soon)),
    }));
    return (await Promise.all(endings)).filter(({ count }) => count > 0);
  }

  /** Returns the metrics of all mounts. */
  async revocationMetrics(): Promise<readonly RevocationMetrics[]> {
    const metrics = (await this.#all()).map(async ({ mount, method: { crls, ocsp } }) => ({
      ...{ mount, crls: await crls.service.metrics() },
      ...{ crlFetches: crls.fetches(), ocsp: ocsp.stats() },
    }));
    return Promise.all(metrics);
  }

  async #all(): Promise<{ readonly mount: string; readonly method: CertMethod }[]> {
    const { table, methods } = this.#mounts;
    return (await table.all()).flatMap((mount) => {
      const method = methods.methodOf(mount);
      return method instanceof CertMethod ? [{ mount: mount.path, method }] : [];
    });
  }
}
