import type { Logger } from 'pino';
import type { Config } from '../../config/index.ts';
import { BackgroundTasks } from '../../lib/background/background-tasks.ts';
import { ALWAYS_LEADER, type BackgroundWork, type Leadership } from '../../lib/background/background-work.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Metrics, RateLimits } from '../../server/index.ts';
import { BackgroundLease, type Database, type FileKeyring } from '../../storage/index.ts';
import { backupWork } from '../backup/scheduled-backups.ts';
import type { Databases } from '../databases.ts';
import type { Domains } from '../domains.ts';
import type { Peers } from '../peers.ts';
import { sharedFailedLogins } from '../rate-limits.ts';
import { sampling } from '../recent-activity.ts';
import { ClusterTasks } from './cluster-tasks.ts';
import { LeaderTasks } from './leader-tasks.ts';
import { keyringWork } from './start-all.ts';

/** Background work of a server, and what is known of it. */
export interface Background {
  /** In starting order. */
  readonly works: readonly BackgroundWork[];
  readonly leadership: Leadership;
  readonly tasks: ClusterTasks;
  /** Whether this process runs the tasks of the leader. */
  isLeader(): boolean;
}

interface BackgroundParts {
  readonly config: Config;
  /** Databases without tracing. */
  readonly databases: Databases;
  readonly domains: Domains;
  readonly keyring: FileKeyring;
  readonly clock: Clock;
  /** Work that keeps the clock right. */
  readonly clockWork: readonly BackgroundWork[];
  readonly metrics: Metrics;
  readonly rates: RateLimits | undefined;
  readonly peers: Peers | undefined;
  readonly logger: Logger;
}

/** Collects all background work, in starting order. Starts nothing. */
export function composeBackground(parts: BackgroundParts): Background {
  const { config, databases, domains, keyring, clock, metrics, rates, peers, logger } = parts;
  const reportTo = (message: string) => (err: unknown, task?: string) => logger.error({ err, task }, message);
  const lease = leaseOn(databases.access, logger);
  const leaderTasks = lease && new LeaderTasks(databases, reportTo('background tasks'));
  const works = [
    ...parts.clockWork,
    ...(lease ? [lease] : []),
    ...(leaderTasks ? [leaderTasks] : []),
    ...keyringWork(keyring, databases, reportTo('keyring')),
    ...sharedFailedLogins(rates, databases, logger),
    sampling(metrics, domains, reportTo('recent activity')),
    ...domains.background,
    ...backupWork(config, databases.workspaces, clock, logger),
  ];
  const own = new BackgroundTasks(works);
  leaderTasks?.shareFrom(own);
  return {
    works,
    leadership: lease ?? ALWAYS_LEADER,
    tasks: new ClusterTasks({ own, peers, leaderTasks }),
    isLeader: () => lease?.isLeader ?? true,
  };
}

/** On SQLite the only process always holds the lease. */
function leaseOn(database: Database, logger: Logger): BackgroundLease | undefined {
  if (database.dialect === 'sqlite') return undefined;
  return new BackgroundLease({
    database,
    report: (err) => logger.error({ err }, 'background lease'),
    taken: (term) => logger.debug({ term }, 'this process runs the background tasks of all processes'),
  });
}
