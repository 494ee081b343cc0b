import { join } from 'node:path';
import type { StorageConfig } from '../../config/index.ts';
import { type Snapshot, snapshotOfPostgres, snapshotOfSqlite } from '../../storage/index.ts';

/** Tables whose rows are of one server, or of minutes: whose turn it is, what has just happened, which backups were made. */
export const LEFT_OUT: ReadonlySet<string> = new Set([
  'background_lease',
  'backup_attempt',
  'change',
  'workspace_clock',
]);

/** What counts changes by a clock that is left out (SQLite), or by transactions of another server (PostgreSQL): anew. */
export const COUNTERS: Readonly<Record<string, string>> = { workspace: 'touched' };

/** In this order: what the first has, the second cannot refer to. */
export const DATABASE_FILES = ['access.db', 'workspaces.db'] as const;

/** All databases, each as it is at one moment. */
export async function snapshotsOf(storage: StorageConfig): Promise<Snapshot[]> {
  if (storage.type === 'postgres') return [await snapshotOfPostgres(storage.url, storage.schema)];
  return DATABASE_FILES.map((file) => snapshotOfSqlite(join(storage.directory, file)));
}
