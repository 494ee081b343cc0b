import { join } from 'node:path';
import { type FileLock, FileTaken, lockFile } from '../../lib/locks/file-lock.ts';
import { StorageError } from '../errors.ts';

/** Below the folder of the databases; nothing is ever in it. */
export const SERVER_LOCK_FILE = 'server.lock';

/** Held by one server, which may be several processes: the one that starts the others takes it. */
export type ServerLock = FileLock;

/**
 * One server at a time works in a folder of embedded databases; commands beside it do not ask.
 * @throws StorageError while another server has it
 */
export function lockForServer(directory: string): ServerLock {
  const file = join(directory, SERVER_LOCK_FILE);
  try {
    return lockFile(file);
  } catch (cause) {
    throw new StorageError(
      cause instanceof FileTaken
        ? `${directory} is in use by another server that runs: stop that one first (it holds ${file})`
        : `${file} cannot be locked: ${(cause as Error).message}`,
      { cause },
    );
  }
}
