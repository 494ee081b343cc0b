import type { Migration } from '../../../storage/index.ts';

/**
 * Adds records of finished and attempted backups. Cleanup does not delete blobs that a backup is reading, and every
 * node knows the age of the last backup.
 */
export const backups: Migration = {
  name: '0050-backups',
  compatibleFrom: '0040-well-formed',
  statements: ({ text, integer, tableOptions }) => [
    `CREATE TABLE backup_attempt (
      id ${text} PRIMARY KEY,
      scheduled ${integer} NOT NULL,
      destination ${text} NOT NULL,
      started_at ${integer} NOT NULL,
      alive_until ${integer} NOT NULL,
      ended_at ${integer},
      whole ${integer} NOT NULL DEFAULT 0,
      bytes ${integer} NOT NULL DEFAULT 0,
      missing ${integer} NOT NULL DEFAULT 0
    ) ${tableOptions}`,
    'CREATE INDEX backup_attempt_by_end ON backup_attempt (whole, ended_at)',
    'CREATE INDEX backup_attempt_by_start ON backup_attempt (scheduled, started_at)',
  ],
};
