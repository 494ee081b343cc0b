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

/** Beside a server that runs, or without one: the databases of the configuration, as they are. */
export async function withDatabases<T>(config: Config, work: (databases: Databases) => Promise<T>): Promise<T> {
  const databases = await openDatabases(config.storage, logger());
  try {
    return await work(databases);
  } finally {
    await closeDatabases(databases);
  }
}

/**
 * The same with what the two APIs do, without a network.
 * @throws StorageError when the keyring is not that of the databases, or they are older than this version
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
