import { pino } from 'pino';
import {
  closeDatabases,
  composeDomains,
  type Databases,
  type Domains,
  openDatabases,
  type SchemaUse,
} from '../../composition/index.ts';
import type { Config } from '../../config/index.ts';
import { type Keyring, timeOf } from '../../storage/index.ts';

const logger = () => pino({ level: 'warn' }, process.stderr);

/** Opens the databases of the configuration without migrating them; the server may be running. */
export async function withDatabases<T>(config: Config, work: (databases: Databases) => Promise<T>): Promise<T> {
  const databases = await openDatabases(config.storage, logger());
  try {
    return await work(databases);
  } finally {
    await closeDatabases(databases);
  }
}

/**
 * Opens the databases and the domain services of both APIs, without listeners.
 * @throws StorageError if the keyring does not match the databases, or their schema is older than this version
 */
export function withDomains<T>(
  { config, keyring, schema = 'as it is' }: { config: Config; keyring: Keyring; schema?: SchemaUse },
  work: (domains: Domains) => Promise<T>,
): Promise<T> {
  return withDatabases(config, async (databases) => {
    const clock = await timeOf(databases.access);
    return work(await composeDomains({ config, databases, keyring, clock, logger: logger(), schema }));
  });
}
