import { existsSync } from 'node:fs';
import { mkdir, open, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Logger } from 'pino';
import type { ManifestRecord } from '../../backup/index.ts';
import type { StorageConfig } from '../../config/index.ts';
import { type Load, loadSqlite, StorageError, syncFolder } from '../../storage/index.ts';
import { closeDatabases, openDatabases } from '../databases.ts';
import { prepareAsOf } from '../schemas.ts';
import { DATABASE_FILES } from './contents.ts';
import { CONTENTS_APART, type Draft } from './draft.ts';

type SqliteStorage = Extract<StorageConfig, { type: 'sqlite' }>;

/** Temporary folder inside the database folder, so that a rename moves the files. */
const FOLDER = 'restoring';
const [FIRST, SECOND] = DATABASE_FILES;

/** The caller must hold the folder's lock. @throws StorageError if the folder has databases */
export async function draftOfSqlite(storage: SqliteStorage, logger: Logger): Promise<Draft> {
  const { directory } = storage;
  const folder = join(directory, FOLDER);
  await mkdir(directory, { recursive: true, mode: 0o700 });
  await requireEmpty(directory, folder);
  await mkdir(folder, { mode: 0o700 });
  const blobDirectory = storage.blobDirectory ?? join(directory, 'blobs');
  const draft: SqliteStorage = { ...storage, directory: folder, ...(storage.blobs ? {} : { blobDirectory }) };
  return {
    storage: draft,
    loads: (manifest) => loads(draft, manifest, logger),
    promote: () => promote(folder, directory),
    discard: () => rm(folder, { recursive: true, force: true }),
  };
}

/** The first database is moved last. If only the second exists, a restore was interrupted and can be repeated. */
async function requireEmpty(directory: string, folder: string): Promise<void> {
  const wasEndedBetween =
    existsSync(join(folder, FIRST)) && !existsSync(join(folder, SECOND)) && !existsSync(join(directory, FIRST));
  // Old WAL files count too, because SQLite would apply them to the restored database.
  const logs = DATABASE_FILES.map((file) => `${file}-wal`);
  for (const file of [...(wasEndedBetween ? [FIRST] : DATABASE_FILES), ...logs]) {
    if (!existsSync(join(directory, file))) continue;
    throw new StorageError(
      `${directory} has databases already (${file}). A backup can only be restored into an empty folder. Move the files away, with their ` +
        `-wal and -shm files, or restore into another folder with --set storage.directory=…${CONTENTS_APART}; nothing was changed`,
    );
  }
  if (wasEndedBetween) await rm(join(directory, SECOND), { force: true });
  await rm(folder, { recursive: true, force: true });
}

async function loads(storage: SqliteStorage, { dialect, schema }: ManifestRecord, logger: Logger): Promise<Load[]> {
  if (dialect === 'postgres')
    throw new StorageError('the backup is from a server on PostgreSQL and can only be restored there');
  const databases = await openDatabases(storage, logger);
  await prepareAsOf(databases, schema).finally(() => closeDatabases(databases));
  return DATABASE_FILES.map((file) => loadSqlite(join(storage.directory, file)));
}

async function promote(folder: string, directory: string): Promise<void> {
  for (const file of DATABASE_FILES) await settle(join(folder, file));
  for (const file of [SECOND, FIRST]) await rename(join(folder, file), join(directory, file));
  await syncFolder(join(directory, FIRST));
  await rm(folder, { recursive: true });
}

/** Checkpoints and syncs, so that the main file contains everything. */
async function settle(path: string): Promise<void> {
  const database = new DatabaseSync(path);
  database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  database.close();
  const file = await open(path, 'r+');
  await file.datasync().finally(() => file.close());
}
