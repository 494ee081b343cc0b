import { longestLease } from '../../access/index.ts';
import { prepareDatabases, sealedDatabases } from '../../composition/index.ts';
import type { Config } from '../../config/index.ts';
import { countSealed, type SealedCount } from '../../storage/index.ts';
import { openKeyringOf } from '../process/keyring.ts';
import { withDatabases } from '../process/without-server.ts';

/** What the databases know of the use of keys. */
export interface Sealed {
  readonly counts: readonly SealedCount[];
  /** Steps of the schema that this version does not know: what they have sealed is not counted. */
  readonly ahead: readonly string[];
  /** Of any token, seconds. */
  readonly longestLease: number;
}

/** Beside a server that runs, or without one. @throws StorageError when the keyring is not that of the databases */
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
