import { Attempts } from '../../backup/index.ts';
import { systemClock } from '../../lib/clock.ts';
import type { Metrics } from '../../server/index.ts';
import type { Database } from '../../storage/index.ts';

type Known = Awaited<ReturnType<Attempts['known']>>;

/**
 * What the database knows of backups, alike on every node; 0 as long as there was none. Not where the configuration says nothing of
 * backups: who makes them otherwise is not to be told that there are none.
 */
export function registerBackups(metrics: Metrics, database: Database): void {
  const attempts = new Attempts(database, systemClock);
  const gauge = (name: string, help: string, figure: (known: Known) => number | undefined) =>
    metrics.gauge(
      `lockkeeper_backup_${name}`,
      help,
      [],
      async () => [{ labels: {}, value: figure(await attempts.known()) ?? 0 }],
      'max',
    );
  gauge(
    'last_success_timestamp_seconds',
    'When the last backup was whole.',
    ({ success }) => success && success.endedAt / 1000,
  );
  gauge(
    'last_failure_timestamp_seconds',
    'When the last backup failed.',
    ({ failedAt }) => failedAt && failedAt / 1000,
  );
  gauge('size_bytes', 'Of the last backup that was whole.', ({ success }) => success?.bytes);
  gauge(
    'duration_seconds',
    'Of the last backup that was whole.',
    ({ success }) => success && (success.endedAt - success.startedAt) / 1000,
  );
  gauge('missing_contents', 'Contents that rows name and that were in no store.', ({ success }) => success?.missing);
}
