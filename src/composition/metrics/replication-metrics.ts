import { gauge, type Metrics } from '../../server/index.ts';
import { STANDBYS, type StandbyLag, type StandbyRow, standbyLags } from '../../storage/index.ts';
import type { Databases } from '../databases.ts';
import { cachedRead } from './cached-read.ts';

const STANDBY = ['standby'];

/** How those are doing that would take over from PostgreSQL. */
export const REPLICATION_METRICS = {
  standbys: gauge('lockkeeper_database_standbys', 'Standbys that are connected to PostgreSQL.'),
  bytes: gauge(
    'lockkeeper_database_replication_lag_bytes',
    'What a standby has not applied yet of the log of PostgreSQL; of several of one name the most.',
    STANDBY,
  ),
  seconds: gauge(
    'lockkeeper_database_replication_lag_seconds',
    'How long PostgreSQL saw a standby take until it had applied something, when it did so last; 0 when it has applied all.',
    STANDBY,
  ),
} as const;

/** What PostgreSQL knows of its standbys, alike on every node. */
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
