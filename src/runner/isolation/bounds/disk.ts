import { lstat, opendir } from 'node:fs/promises';
import { join } from 'node:path';

/** @limit files and folders of a job, entries -> the run is stopped as if its disk were full */
const MAX_ENTRIES = 1_000_000;
const BLOCK = 512;

/**
 * Measures the disk usage of folders. Stops at the limit.
 * @param limit bytes
 * @returns bytes; more than `limit` if the size is not known exactly
 */
export async function sizeOf(folders: readonly string[], limit: number): Promise<number> {
  let [bytes, entries] = [0, 0];
  const rest = [...folders];
  for (let folder = rest.pop(); folder !== undefined; folder = rest.pop()) {
    const opened = await opendir(folder).catch(() => undefined);
    if (opened === undefined) continue;
    for await (const entry of opened) {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) rest.push(path);
      bytes += ((await lstat(path).catch(() => undefined))?.blocks ?? 0) * BLOCK;
      entries += 1;
      if (bytes > limit || entries > MAX_ENTRIES) return limit + 1;
    }
  }
  return bytes;
}
