import { join } from 'node:path';
import type { StorageConfig } from '../../config/index.ts';
import { type Snapshot, snapshotOfPostgres, snapshotOfSqlite } from '../../storage/index.ts';

/**
 * Tables that a backup leaves out, because their rows belong to one server or live for minutes: leases, recent events,
 * backup attempts.
 */
export const LEFT_OUT: ReadonlySet<string> = new Set([
  'background_lease',
  'backup_attempt',
  'change',
  'workspace_clock',
]);

/**
 * Columns that are recomputed after a restore: they count changes by a counter that is not in the backup (SQLite), or
 * by transactions of another server (PostgreSQL).
 */
export const COUNTERS: Readonly<Record<string, string>> = { workspace: 'touched' };

/** Backup order of the databases: the second must not refer to rows that the first lacks. */
export const DATABASE_FILES = ['access.db', 'workspaces.db'] as const;

/** Snapshots of all databases. */
export async function snapshotsOf(storage: StorageConfig): Promise<Snapshot[]> {
  if (storage.type === 'postgres') return [await snapshotOfPostgres(storage.url, storage.schema)];
  return DATABASE_FILES.map((file) => snapshotOfSqlite(join(storage.directory, file)));
}
