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

/** Below the folder of the databases: one rename away from where they belong. */
const FOLDER = 'restoring';
const [FIRST, SECOND] = DATABASE_FILES;

/** While nobody else works in the folder. @throws StorageError where it has databases already */
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

/** The first database comes last: where only the second is, a restore was ended between the two, and is done again. */
async function requireEmpty(directory: string, folder: string): Promise<void> {
  const wasEndedBetween =
    existsSync(join(folder, FIRST)) && !existsSync(join(folder, SECOND)) && !existsSync(join(directory, FIRST));
  // SQLite would apply a log that was left behind to the database that is restored.
  const logs = DATABASE_FILES.map((file) => `${file}-wal`);
  for (const file of [...(wasEndedBetween ? [FIRST] : DATABASE_FILES), ...logs]) {
    if (!existsSync(join(directory, file))) continue;
    throw new StorageError(
      `${directory} has databases already (${file}): a backup is restored where there are none. Move the files away, with their ` +
        `-wal and -shm, or restore into another folder with --set storage.directory=…${CONTENTS_APART}; nothing was changed`,
    );
  }
  if (wasEndedBetween) await rm(join(directory, SECOND), { force: true });
  await rm(folder, { recursive: true, force: true });
}

async function loads(storage: SqliteStorage, { dialect, schema }: ManifestRecord, logger: Logger): Promise<Load[]> {
  if (dialect === 'postgres')
    throw new StorageError('the backup is of an installation on PostgreSQL, and can be restored there alone');
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

/** All of it is in the file itself, and on the disk. */
async function settle(path: string): Promise<void> {
  const database = new DatabaseSync(path);
  database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  database.close();
  const file = await open(path, 'r+');
  await file.datasync().finally(() => file.close());
}
