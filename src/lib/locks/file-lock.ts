import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';

const BUSY = 5;
/** Interval between attempts to get a lock, ms. */
const INTERVAL = 50;

/** Thrown if another process holds the lock. */
export class FileTaken extends Error {
  override readonly name = 'FileTaken';
}

/** A lock that this process holds. The system releases it when the process ends, even after a crash. */
export interface FileLock {
  release(): void;
}

/**
 * Creates a file and locks it with SQLite's own lock, which the operating system releases when the process ends. The
 * file stays empty.
 * @throws FileTaken if another process holds the lock; any error of the file system
 */
export function lockFile(file: string): FileLock {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  const database = new DatabaseSync(file, { timeout: 0 });
  try {
    // A reserved write that never happens: it takes no space and works on a full disk.
    database.exec('BEGIN IMMEDIATE');
  } catch (cause) {
    database.close();
    const isTaken = ((cause as { errcode?: number }).errcode ?? 0) % 256 === BUSY;
    throw isTaken ? new FileTaken(`${file} is locked by another process`, { cause }) : cause;
  }
  return { release: () => database.close() };
}

/**
 * Waits for the lock while another process holds it. Waiting processes form no queue.
 * @throws FileTaken if the signal aborts first; errors of the file system
 */
export async function waitForLock(file: string, signal: AbortSignal): Promise<FileLock> {
  for (;;) {
    try {
      return lockFile(file);
    } catch (error) {
      if (!(error instanceof FileTaken) || signal.aborted) throw error;
    }
    await sleep(INTERVAL, undefined, { signal }).catch(() => {});
  }
}
