import type { Keyring } from '../../storage/index.ts';

const CLUSTER_NAME = 'lockkeeper';
/** Version of Vault whose API this server is compatible with. Clients use it to decide which requests they send. */
const API_VERSION = '1.16.0';

/** Properties that are constant while the server runs. */
export interface ServerFacts {
  /** A semantic version such as `1.16.0+lockkeeper.0.1.0`: the API's, then the server's. */
  readonly version: string;
  /** The id is a UUID, the same on all nodes. */
  readonly cluster: { readonly cluster_name: string; readonly cluster_id: string };
  /** `sqlite` or `postgres`. */
  readonly storageType: string;
}

export function serverFacts(version: string, keyring: Pick<Keyring, 'hash'>, storageType: string): ServerFacts {
  return {
    version: `${API_VERSION}+lockkeeper.${version}`,
    cluster: { cluster_name: CLUSTER_NAME, cluster_id: uuidOf(keyring.hash('cluster', 'cluster-id')) },
    storageType,
  };
}

/** Makes a UUID of given bytes (RFC 9562, version 8). */
function uuidOf(bytes: Uint8Array): string {
  const [a, b, c, d, e] = [0, 8, 12, 16, 20].map((start, index, starts) =>
    Buffer.from(bytes)
      .toString('hex')
      .slice(start, starts[index + 1] ?? 32),
  );
  return `${a}-${b}-8${c?.slice(1)}-8${d?.slice(1)}-${e}`;
}
