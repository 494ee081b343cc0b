import { randomBytes } from 'node:crypto';
import { open, rm } from 'node:fs/promises';
import { join } from 'node:path';

const BLOCK = 8_192;
const WRITES = 9;

/**
 * Writes to a file of its own in a folder, and syncs, again and again. Nothing is left.
 * @returns milliseconds of the one in the middle
 * @throws what the system says: ENOSPC, EROFS, EACCES
 */
export async function writeLatency(folder: string, signal: AbortSignal): Promise<number> {
  const path = join(folder, `diagnose-${randomBytes(8).toString('hex')}`);
  const file = await open(path, 'wx', 0o600);
  try {
    const times: number[] = [];
    for (let round = 0; round < WRITES && !signal.aborted; round++) {
      const began = performance.now();
      await file.write(randomBytes(BLOCK));
      await file.datasync();
      times.push(performance.now() - began);
    }
    return times.toSorted((a, b) => a - b)[times.length >> 1] ?? 0;
  } finally {
    await file.close();
    await rm(path, { force: true });
  }
}
