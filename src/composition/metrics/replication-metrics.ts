import { gauge, type Metrics } from '../../server/index.ts';
import { STANDBYS, type StandbyLag, type StandbyRow, standbyLags } from '../../storage/index.ts';
import type { Databases } from '../databases.ts';
import { cachedRead } from './cached-read.ts';

const STANDBY = ['standby'];

/** Metrics of PostgreSQL standbys. */
export const REPLICATION_METRICS = {
  standbys: gauge('lockkeeper_database_standbys', 'Standbys that are connected to PostgreSQL.'),
  bytes: gauge(
    'lockkeeper_database_replication_lag_bytes',
    'PostgreSQL log that a standby has not applied yet; the maximum of standbys with one name.',
    STANDBY,
  ),
  seconds: gauge(
    'lockkeeper_database_replication_lag_seconds',
    'Last replay lag of a standby, as PostgreSQL measures it; 0 if it has applied everything.',
    STANDBY,
  ),
} as const;

/** Reads the standbys that PostgreSQL reports, equal on all nodes. */
export function registerReplication(metrics: Metrics, { access }: Databases): void {
  if (access.dialect !== 'postgres') return;
  const rows = cachedRead(() => access.dynamic<StandbyRow>({ sql: STANDBYS, parameters: [] }));
  metrics.shared(REPLICATION_METRICS.standbys, async () => [{ labels: {}, value: (await rows()).length }]);
  const lag = (of: (typeof REPLICATION_METRICS)['bytes'], figure: (lag: StandbyLag) => number) =>
    metrics.shared(of, async () => {
      const most = new Map<string, number>();
      for (const one of standbyLags(await rows()) ?? [])
        most.set(one.name, Math.max(most.get(one.name) ?? 0, figure(one)));
      return [...most].map(([standby, value]) => ({ labels: { standby }, value }));
    });
  lag(REPLICATION_METRICS.bytes, ({ bytes }) => bytes);
  lag(REPLICATION_METRICS.seconds, ({ seconds }) => seconds);
}
