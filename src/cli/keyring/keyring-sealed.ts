import { longestLease } from '../../access/index.ts';
import { prepareDatabases, sealedDatabases } from '../../composition/index.ts';
import type { Config } from '../../config/index.ts';
import { countSealed, type SealedCount } from '../../storage/index.ts';
import { openKeyringOf } from '../process/keyring.ts';
import { withDatabases } from '../process/without-server.ts';

/** Key usage in the databases. */
export interface Sealed {
  readonly counts: readonly SealedCount[];
  /** Schema migrations unknown to this version. Their encrypted values are not counted. */
  readonly ahead: readonly string[];
  /** Maximum lifetime of a token, seconds. */
  readonly longestLease: number;
}

/** Reads the databases; the server may be running. @throws StorageError if the keyring does not match the databases */
export async function withSealed<T>(config: Config, work: (sealed: Sealed) => Promise<T>): Promise<T> {
  const keyring = await openKeyringOf(config);
  return withDatabases(config, async (databases) => {
    const ahead = await prepareDatabases(databases, keyring, 'as it is');
    return work({
      ahead,
      counts: await countSealed(sealedDatabases(databases)),
      longestLease: await longestLease(databases.access, config.access.maxTokenTtl),
    });
  });
}
