import type { Logger } from 'pino';
import type { Config } from '../config/index.ts';
import type { SignInLink } from '../console/index.ts';
import type { BackgroundWork } from '../lib/background/background-work.ts';
import { type Clock, systemClock } from '../lib/clock.ts';
import type { Resolve } from '../outbound/address-guard.ts';
import { type Audit, Metrics, type MetricsSnapshot, type Minute, Readiness } from '../server/index.ts';
import { type Database, type FileKeyring, openKeyring, SharedClock } from '../storage/index.ts';
import { openAudit } from './audit-record.ts';
import type { PeerTasks } from './background/cluster-tasks.ts';
import { composeBackground } from './background/compose-background.ts';
import { startAll } from './background/start-all.ts';
import { closeDatabases, type Databases, openDatabases } from './databases.ts';
import { detailsOf } from './diagnosis/server-site.ts';
import { composeDomains, type Domains } from './domains.ts';
import { healthChecks } from './health-checks.ts';
import { composeServer, reloadTls, startListening } from './listeners.ts';
import { registerMetrics, ServedCertificates } from './metrics/index.ts';
import { addPeers, healthOf, type PeerHealth, type Peers, peersCheck } from './peers.ts';
import { composeRateLimits } from './rate-limits.ts';
import { recentActivity } from './recent-activity.ts';
import { openTracing, tracedDatabases, traceRuns } from './tracing.ts';

interface ApplicationOptions {
  readonly config: Config;
  readonly logger: Logger;
  /** Databases to use instead of the configured ones. The caller closes them. */
  readonly databases?: Databases;
  readonly keyring?: FileKeyring;
  readonly clock?: Clock;
  /** Other workers, if this process is one of several. */
  readonly peers?: Peers;
  /** Link that signs one browser in to the console, for the demo. */
  readonly signInLink?: SignInLink;
  /** Resolver of the names of VCS providers, for tests. */
  readonly resolveVcs?: Resolve;
}

export interface Application extends Domains {
  /** URLs of the listeners, in the order of the configuration, such as `https://127.0.0.1:8200`. */
  readonly addresses: readonly string[];
  readonly audit: Audit;
  /** The keyring. Its file is reloaded when it changes. */
  readonly keyring: FileKeyring;
  /** Metrics of this process for other workers. */
  metricsSnapshot(): Promise<MetricsSnapshot>;
  metricsHistory(): readonly Minute[];
  health(): PeerHealth;
  /** Background tasks of this process for other workers. */
  tasks(): PeerTasks;
  /** Reloads at runtime: certificates and keys of listeners, the keyring, and the file of the audit log. */
  reload(): void;
  /** Starts draining: reports not ready and closes each connection after its next response. Requests are still served. */
  drain(): void;
  /** Drains without reporting not ready, because another worker replaces this one. */
  retire(): void;
  /** Waits for requests in flight, then closes everything. */
  stop(): Promise<void>;
}

/**
 * Starts everything between the network and the disk.
 * @throws ConfigError for unusable files and addresses; then nothing is left open
 */
export async function startApplication(options: ApplicationOptions): Promise<Application> {
  // Resources close in reverse order, after a failed start and at a stop.
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
  const { config, logger, peers } = options;
  const keyring =
    options.keyring ??
    (await openKeyring(config.keyring, (reason) =>
      logger.warn({ reason }, 'the keyring cannot be unwrapped yet; retrying'),
    ));
  const metrics = new Metrics();
  const audit = await openAudit(config, keyring, metrics, logger);
  opened.defer(() => audit.close());
  const tracing = await openTracing(config, metrics, logger);
  if (tracing) opened.defer(() => tracing.close());
  const databases = options.databases ?? opened.adopt(await openDatabases(config.storage, logger), closeDatabases);
  const time = await sharedClock(databases.access, logger);
  const clock = options.clock ?? time.now;
  const readiness = new Readiness();
  const watch = { audit, readiness, recentActivity: recentActivity(metrics, peers) };
  const domains = await composeDomains(
    {
      ...{ config, databases: tracedDatabases(databases, tracing), keyring, clock, logger },
      ...(options.resolveVcs && { resolveVcs: options.resolveVcs }),
    },
    watch,
  );
  traceRuns(domains, tracing);
  readiness.add(...healthChecks(domains, audit), ...(peers ? [peersCheck(peers)] : []));
  const served = new ServedCertificates();
  const rates = composeRateLimits(config, metrics);
  const background = composeBackground({
    ...{ config, databases, domains, keyring, clock, clockWork: time.work, metrics, rates, peers, logger },
  });
  registerMetrics(metrics, { config, domains, audit, readiness, served, keyring, clock, background });
  readiness.explainBy(detailsOf(config, domains, background.tasks, clock));
  if (peers) addPeers(metrics, peers);
  const parts = {
    ...watch,
    metrics,
    logger,
    peers,
    served,
    rates,
    tracing: tracing?.requests,
    link: options.signInLink,
  };
  const server = await composeServer({ config, keyring, clock }, domains, parts);
  opened.defer(() => server.close(config.limits.shutdownGraceSeconds * 1000));
  const addresses = await startListening(server, config.listeners);
  const report = (err: unknown) => logger.error({ err }, 'keyring');
  await startAll(background.works, opened, background.leadership);
  return {
    ...domains,
    audit,
    keyring,
    addresses,
    metricsSnapshot: () => metrics.snapshot(),
    metricsHistory: () => metrics.history.minutes(),
    health: () => healthOf(audit),
    tasks: () => background.tasks.own(),
    reload: () => {
      audit.reopen();
      keyring.reload().catch(report);
      reloadTls(server, config.listeners, served).catch((err: unknown) =>
        logger.error({ err }, 'certificates of listeners'),
      );
    },
    drain: () => server.drain(),
    retire: () => server.retire(),
  };
}

/** Clock that all processes on the database share. On SQLite it is the clock of the only process. */
async function sharedClock(database: Database, logger: Logger): Promise<{ now: Clock; work: BackgroundWork[] }> {
  if (database.dialect === 'sqlite') return { now: systemClock, work: [] };
  const clock = new SharedClock();
  await clock.synchronize(database);
  const differs = "the clock of this machine differs from the database's clock; the server uses the database's";
  const work = clock.following(database, {
    tell: (seconds_ahead) => logger.warn({ seconds_ahead }, differs),
    report: (err) => logger.error({ err }, 'clock'),
  });
  return { now: clock.now, work: [work] };
}
