import { hostname } from 'node:os';
import type { BackgroundWork } from '../lib/background/background-work.ts';
import { PeriodicTask } from '../lib/background/periodic-task.ts';
import type { TaskDefinition } from '../lib/background/task-definition.ts';
import { type ActivityPoint, activityPoints, type Metrics, type Minute } from '../server/index.ts';
import { type Database, sql } from '../storage/index.ts';
import type { Domains } from './domains.ts';
import type { Peers } from './peers.ts';

/** Metrics of the last hours of this server, in points of some minutes. */
export interface RecentActivity {
  /** Host name; the points cover all processes of this machine. */
  readonly node: string;
  points(step: number): Promise<readonly ActivityPoint[]>;
}

const MINUTE_MS = 60_000;

const SAMPLING: TaskDefinition = {
  name: 'activity-sampling',
  description: 'Samples the metrics of the last hours that the console shows.',
  runsOn: 'every process',
  period: MINUTE_MS,
};

const SIZE = {
  sqlite: sql<Record<never, never>, { bytes: number }>(
    'SELECT page_count * page_size AS bytes FROM pragma_page_count(), pragma_page_size()',
  ),
  postgres: sql<Record<never, never>, { bytes: number }>('SELECT pg_database_size(current_database()) AS bytes'),
};

/** Merges the points of all workers. */
export function recentActivity({ history }: Metrics, peers?: Peers): RecentActivity {
  return {
    node: hostname(),
    async points(step) {
      const own = history.minutes();
      const others = ((await peers?.request('history', own)) ?? []) as readonly (readonly Minute[])[];
      return activityPoints([own, ...others], step, history.now);
    },
  };
}

/** Samples gauges once a minute, in each process. */
export function sampling({ history }: Metrics, domains: Domains, report: (error: unknown) => void): BackgroundWork {
  const sample = async () => history.sample({ totals: await totals(domains), shared: await storage(domains) });
  return new PeriodicTask({
    task: SAMPLING,
    step: () => sample().then(() => MINUTE_MS),
    first: 0,
    afterFailure: MINUTE_MS,
    report,
  });
}

async function totals({ access }: Domains): Promise<Record<string, number>> {
  const sums = { ocsp_requests: 0, ocsp_failures: 0, crl_fetches: 0, crl_fetch_failures: 0 };
  for (const { ocsp, crlFetches } of await access.revocationMetrics()) {
    sums.ocsp_requests += ocsp.requests;
    sums.ocsp_failures += ocsp.failures;
    for (const count of Object.values(crlFetches)) sums.crl_fetches += count;
    sums.crl_fetch_failures += crlFetches.failed ?? 0;
  }
  return sums;
}

/** Samples the size and response time of the databases. */
async function storage({ databases: { access, workspaces } }: Domains): Promise<Record<string, number>> {
  const began = performance.now();
  let bytes = await sizeOf(access);
  const ms = Math.round((performance.now() - began) * 100) / 100;
  if (workspaces !== access) bytes += await sizeOf(workspaces);
  return { database_bytes: bytes, database_ms: ms };
}

const sizeOf = async (database: Database): Promise<number> =>
  Number((await database.one(SIZE[database.dialect], {}))?.bytes ?? 0);
