import { join } from 'node:path';
import { type FileLock, FileTaken, lockFile } from '../../lib/locks/file-lock.ts';
import { StorageError } from '../errors.ts';

/** File in the folder of the databases, always empty. */
export const SERVER_LOCK_FILE = 'server.lock';

/** Lock of one server, which may have several processes: their parent takes it. */
export type ServerLock = FileLock;

/**
 * Makes sure that only one server at a time uses a folder of embedded databases. Commands that may run beside a server
 * do not take the lock.
 * @throws StorageError while another server holds it
 */
export function lockForServer(directory: string): ServerLock {
  const file = join(directory, SERVER_LOCK_FILE);
  try {
    return lockFile(file);
  } catch (cause) {
    throw new StorageError(
      cause instanceof FileTaken
        ? `${directory} is in use by another running server: stop it first (it holds ${file})`
        : `${file} cannot be locked: ${(cause as Error).message}`,
      { cause },
    );
  }
}
