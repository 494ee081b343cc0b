import { randomBytes } from 'node:crypto';
import { open, rm } from 'node:fs/promises';
import { join } from 'node:path';

const BLOCK = 8_192;
const WRITES = 9;

/**
 * Measures repeated writes with fsync to a temporary file in a folder.
 * @returns the median in milliseconds
 * @throws the error of the system: ENOSPC, EROFS, EACCES
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
