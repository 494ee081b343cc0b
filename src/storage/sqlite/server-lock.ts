import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { StorageError } from '../errors.ts';

/** Below the folder of the databases; nothing is ever in it. */
export const SERVER_LOCK_FILE = 'server.lock';
const BUSY = 5;

/** Held by one server, which may be several processes: the one that starts the others takes it. */
export interface ServerLock {
  release(): void;
}

/**
 * One server at a time works in a folder of embedded databases; commands beside it do not ask. What locks is SQLite's own
 * lock on a file: the system takes it back when the process ends, however it ends.
 * @throws StorageError while another server has it
 */
export function lockForServer(directory: string): ServerLock {
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const file = join(directory, SERVER_LOCK_FILE);
  const database = new DatabaseSync(file, { timeout: 0 });
  try {
    // Reserved for a write that never comes: it takes no space, and works on a disk that is full.
    database.exec('BEGIN IMMEDIATE');
  } catch (cause) {
    database.close();
    const isTaken = ((cause as { errcode?: number }).errcode ?? 0) % 256 === BUSY;
    throw new StorageError(
      isTaken
        ? `${directory} is in use by another server that runs: stop that one first (it holds ${file})`
        : `${file} cannot be locked: ${(cause as Error).message}`,
      { cause },
    );
  }
  return { release: () => database.close() };
}
