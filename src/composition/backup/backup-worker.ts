import { join } from 'node:path';
import { parentPort, workerData } from 'node:worker_threads';
import type { Config, StorageConfig } from '../../config/index.ts';
import {
  bindKeyring,
  type Database,
  type Keyring,
  openKeyring,
  openPostgres,
  openSqlite,
} from '../../storage/index.ts';
import { type Made, makeBackup } from './make-backup.ts';

/** Final message of the thread. */
export type BackupAnswer = { readonly made: Made } | { readonly failed: string };

const { config } = workerData as { readonly config: Config };
const stopping = new AbortController();
parentPort?.once('message', () => stopping.abort(new Error('the server is stopping')));

function openRecord(storage: StorageConfig): Promise<Database> {
  const report = (error: unknown) => {
    throw error;
  };
  if (storage.type === 'sqlite') return openSqlite({ file: join(storage.directory, 'workspaces.db'), report });
  const { url, schema } = storage;
  return openPostgres({ url, schema, poolSize: 2, report });
}

/** The keyring file may have been replaced by another server's since it was read. */
async function keyringOf(database: Database): Promise<Keyring> {
  const keyring = await openKeyring(config.keyring);
  await bindKeyring(database, keyring);
  return keyring;
}

async function run(): Promise<BackupAnswer> {
  try {
    const database = await openRecord(config.storage);
    try {
      const { signal } = stopping;
      const parts = { config, openKeyring: () => keyringOf(database), database };
      return { made: await makeBackup(parts, { scheduled: true, signal }) };
    } finally {
      await database.close();
    }
  } catch (error) {
    return { failed: (error as Error).message };
  }
}

parentPort?.postMessage(await run());
parentPort?.close();
