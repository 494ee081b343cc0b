import type { Logger } from 'pino';
import type { Config } from '../config/index.ts';
import { type Clock, systemClock } from '../lib/clock.ts';
import { type Audit, Metrics, Readiness } from '../server/index.ts';
import { type FileKeyring, openKeyring } from '../storage/index.ts';
import { openAudit } from './audit-record.ts';
import { keyringWork, startAll } from './background.ts';
import { closeDatabases, type Databases, openDatabases } from './databases.ts';
import { registerFigures } from './domain-figures.ts';
import { composeDomains, type Domains } from './domains.ts';
import { healthChecks } from './health-checks.ts';
import { composeServer, startListening } from './listeners.ts';

interface ApplicationOptions {
  readonly config: Config;
  readonly logger: Logger;
  /** In place of those that the configuration names; whoever passes them closes them. */
  readonly databases?: Databases;
  readonly keyring?: FileKeyring;
  readonly clock?: Clock;
}

export interface Application extends Domains {
  /** Of each listener, in the order of the configuration: `https://127.0.0.1:8200`. */
  readonly addresses: readonly string[];
  readonly audit: Audit;
  /** Its file is read anew when it changes. */
  readonly keyring: FileKeyring;
  /** Not ready from now on, and each answer is the last on its connection; everything is served as before. */
  drain(): void;
  /** Requests in flight finish, then everything closes. */
  stop(): Promise<void>;
}

/**
 * Everything between the network and the disk, up and answering.
 * @throws ConfigError for files and addresses that cannot be used; nothing is left open then
 */
export async function startApplication(options: ApplicationOptions): Promise<Application> {
  // What was opened is closed in the opposite order, whether the start fails half-way or the application stops.
  const opened = new AsyncDisposableStack();
  try {
    const started = await start(options, opened);
    return { ...started, stop: () => opened.disposeAsync() };
  } catch (error) {
    await opened.disposeAsync();
    throw error;
  }
}

async function start(options: ApplicationOptions, opened: AsyncDisposableStack): Promise<Omit<Application, 'stop'>> {
  const { config, logger, clock = systemClock } = options;
  const keyring = options.keyring ?? (await openKeyring(config.keyringFile));
  const metrics = new Metrics();
  const audit = await openAudit(config, keyring, metrics, logger);
  opened.defer(() => audit.close());
  const databases = options.databases ?? opened.adopt(await openDatabases(config.storage, logger), closeDatabases);
  const readiness = new Readiness();
  const domains = await composeDomains({ config, databases, keyring, clock, logger }, { audit, readiness });
  readiness.add(...healthChecks(domains, audit));
  registerFigures(metrics, domains);
  const server = await composeServer(config, domains, { audit, readiness, metrics, logger });
  opened.defer(() => server.close(config.limits.shutdownGraceSeconds * 1000));
  const addresses = await startListening(server, config.listeners);
  const report = (err: unknown) => logger.error({ err }, 'keyring');
  await startAll([...keyringWork(keyring, databases, report), ...domains.background], opened);
  return { ...domains, audit, keyring, drain: () => server.drain(), addresses };
}
