import type { Keyring } from '../../storage/index.ts';

const CLUSTER_NAME = 'lockkeeper';
/** The version of the original API that this one is compatible with: clients choose what they send by it. */
const API_VERSION = '1.16.0';

/** What does not change while the program runs. */
export interface ServerFacts {
  /** `1.16.0+lockkeeper.0.1.0`, a semantic version: first the API's, then the program's. */
  readonly version: string;
  /** The id is a UUID, the same on all nodes of an installation. */
  readonly cluster: { readonly cluster_name: string; readonly cluster_id: string };
  /** `sqlite`, `postgres` */
  readonly storageType: string;
}

export function serverFacts(version: string, keyring: Pick<Keyring, 'hash'>, storageType: string): ServerFacts {
  return {
    version: `${API_VERSION}+lockkeeper.${version}`,
    cluster: { cluster_name: CLUSTER_NAME, cluster_id: uuidOf(keyring.hash('cluster', 'cluster-id')) },
    storageType,
  };
}

/** RFC 9562, version 8: bytes of our own choice. */
function uuidOf(bytes: Uint8Array): string {
  const [a, b, c, d, e] = [0, 8, 12, 16, 20].map((start, index, starts) =>
    Buffer.from(bytes)
      .toString('hex')
      .slice(start, starts[index + 1] ?? 32),
  );
  return `${a}-${b}-8${c?.slice(1)}-8${d?.slice(1)}-${e}`;
}
