import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';

const BUSY = 5;
/** Between two tries to get a lock, ms. */
const INTERVAL = 50;

/** Another process holds the lock. */
export class FileTaken extends Error {
  override readonly name = 'FileTaken';
}

/** Held by this process until it ends, however it ends. */
export interface FileLock {
  release(): void;
}

/**
 * Makes a file and locks it, by SQLite's own lock: the system takes that back when the process ends. Nothing is ever in it.
 * @throws FileTaken while another process has it; else what the system says
 */
export function lockFile(file: string): FileLock {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  const database = new DatabaseSync(file, { timeout: 0 });
  try {
    // Reserved for a write that never comes: it takes no space, and works on a disk that is full.
    database.exec('BEGIN IMMEDIATE');
  } catch (cause) {
    database.close();
    const isTaken = ((cause as { errcode?: number }).errcode ?? 0) % 256 === BUSY;
    throw isTaken ? new FileTaken(`${file} is held by another process`, { cause }) : cause;
  }
  return { release: () => database.close() };
}

/**
 * Waits for the lock while another process has it. There is no queue.
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
