import { type FigureDefinition, gauge } from '../../src/server/index.ts';

/**
 * Whether the server has these metrics: with them the alert, the panels and the rows of the reference are there. What they say of themselves
 * is what the server says of them, as a test holds.
 */
const HAS_BACKUP_METRICS: boolean = false;

export const BACKUP_METRICS: readonly FigureDefinition[] = HAS_BACKUP_METRICS
  ? [
      gauge('lockkeeper_backup_last_success_timestamp_seconds', 'When the last backup was complete.'),
      gauge('lockkeeper_backup_last_failure_timestamp_seconds', 'When a backup failed last.'),
      gauge('lockkeeper_backup_size_bytes', 'The size of the last backup.'),
      gauge('lockkeeper_backup_duration_seconds', 'How long the last backup took.'),
    ]
  : [];
