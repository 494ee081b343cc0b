import type { OcspStats } from '../../revocation/ocsp-client.ts';
import type { Mounts } from '../mounts/index.ts';
import { CertMethod } from './cert-method.ts';
import type { CrlFigures } from './crl/index.ts';

/** How the revocation of one mount's certificates is doing. */
export interface RevocationFigures {
  /** The path of the mount. */
  readonly mount: string;
  readonly crls: readonly CrlFigures[];
  /** Since the start, by what came of them: `fetched`, `unchanged`, `failed`. */
  readonly crlFetches: Readonly<Record<string, number>>;
  readonly ocsp: OcspStats;
}

/** The certificate methods of this process, wherever they are mounted. */
export class CertMethods {
  readonly #mounts: Mounts;

  constructor(mounts: Mounts) {
    this.#mounts = mounts;
  }

  /** Undefined when there is none at this path. */
  async at(path: string): Promise<CertMethod | undefined> {
    const { table, methods } = this.#mounts;
    const found = await table.find(path);
    const method = found?.rest === '' ? methods.of(found.mount) : undefined;
    return method instanceof CertMethod ? method : undefined;
  }

  /** Of every mount. */
  async revocationFigures(): Promise<readonly RevocationFigures[]> {
    const { table, methods } = this.#mounts;
    const figures = (await table.all()).map(async (mount) => {
      const method = methods.of(mount);
      if (!(method instanceof CertMethod)) return undefined;
      const { crls, ocsp } = method;
      return { mount: mount.path, crls: await crls.service.figures(), crlFetches: crls.fetches(), ocsp: ocsp.stats() };
    });
    return (await Promise.all(figures)).filter((one) => one !== undefined);
  }
}
