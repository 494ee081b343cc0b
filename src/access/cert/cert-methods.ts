import type { OcspStats } from '../../revocation/ocsp-client.ts';
import type { Mounts } from '../mounts/index.ts';
import { CertMethod } from './cert-method.ts';
import type { CrlMetrics } from './crl/index.ts';
import type { AnchorExpiries } from './role/role-anchors.ts';

/** How the revocation of one mount's certificates is doing. */
export interface RevocationMetrics {
  /** The path of the mount. */
  readonly mount: string;
  readonly crls: readonly CrlMetrics[];
  /** Since the start, by what came of them: `fetched`, `unchanged`, `failed`. */
  readonly crlFetches: Readonly<Record<string, number>>;
  readonly ocsp: OcspStats;
}

/** How the certificates stand that the roles of one mount trust. */
export interface CaExpiries extends AnchorExpiries {
  /** The path of the mount. */
  readonly mount: string;
}

/** The certificate methods of this process, wherever they are mounted. */
export class CertMethods {
  readonly #mounts: Mounts;

  constructor(mounts: Mounts) {
    this.#mounts = mounts;
  }

  /** Undefined when there is none at this path. */
  async methodAt(path: string): Promise<CertMethod | undefined> {
    const { table, methods } = this.#mounts;
    const found = await table.mountAt(path);
    const method = found?.rest === '' ? methods.methodOf(found.mount) : undefined;
    return method instanceof CertMethod ? method : undefined;
  }

  /** Of the roles of every mount; without roles there is nothing to tell. @param soon milliseconds from now on */
  async caExpiries(soon: number): Promise<readonly CaExpiries[]> {
    const endings = (await this.#all()).map(async ({ mount, method }) => ({
      mount,
      ...(await method.caExpiries(soon)),
    }));
    return (await Promise.all(endings)).filter(({ count }) => count > 0);
  }

  /** Of every mount. */
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
