import { BackupAttempts } from '../../backup/index.ts';
import { backupInterval, type Config } from '../../config/index.ts';
import type { Clock } from '../../lib/clock.ts';
import { gauge, type Metrics } from '../../server/index.ts';
import type { Database } from '../../storage/index.ts';
import { cachedRead } from './cached-read.ts';

/** One read serves all metrics of a page. */
const HOLD_MS = 0;

/** Metrics of backups. */
export const BACKUP_METRICS = {
  success: gauge(
    'lockkeeper_backup_last_success_timestamp_seconds',
    'Time of the last complete backup; 0 without one.',
  ),
  failure: gauge('lockkeeper_backup_last_failure_timestamp_seconds', 'Time of the last failed backup; 0 without one.'),
  interval: gauge('lockkeeper_backup_interval_seconds', 'Interval of scheduled backups; absent without a schedule.'),
  size: gauge('lockkeeper_backup_size_bytes', 'Size of the last complete backup.'),
  duration: gauge('lockkeeper_backup_duration_seconds', 'Duration of the last complete backup.'),
  missing: gauge(
    'lockkeeper_backup_missing_contents',
    'Blobs that were missing from the store during the last backup.',
  ),
} as const;

type Known = Awaited<ReturnType<BackupAttempts['lastOutcomes']>>;

/** Reads backup records, which are equal on all nodes, and the schedule. */
export function registerBackups(metrics: Metrics, { backup }: Config, database: Database, clock: Clock): void {
  const { schedule } = backup ?? {};
  metrics.shared(BACKUP_METRICS.interval, async () =>
    schedule === undefined ? [] : [{ labels: {}, value: backupInterval(schedule) / 1000 }],
  );
  const attempts = new BackupAttempts(database, clock);
  const read = cachedRead(() => attempts.lastOutcomes(), HOLD_MS);
  const figure = (of: (typeof BACKUP_METRICS)['size'], value: (known: Known) => number | undefined) =>
    metrics.shared(of, async () => [{ labels: {}, value: value(await read()) ?? 0 }]);
  figure(BACKUP_METRICS.success, ({ success }) => success && success.endedAt / 1000);
  figure(BACKUP_METRICS.failure, ({ failedAt }) => failedAt && failedAt / 1000);
  figure(BACKUP_METRICS.size, ({ success }) => success?.bytes);
  figure(BACKUP_METRICS.duration, ({ success }) => success && (success.endedAt - success.startedAt) / 1000);
  figure(BACKUP_METRICS.missing, ({ success }) => success?.missing);
}
