import { mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { type FileLock, FileTaken, lockFile } from '../../../lib/locks/file-lock.ts';

/** A folder below that of a buffer, which this process alone uses as long as it holds it. */
export interface Place {
  readonly folder: string;
  release(): void;
}

/** @limit processes that share the folder of a buffer, processes -> the next one does not start */
const MOST_PLACES = 1_000;
const NUMBER = /^\d{1,3}$/;

/**
 * Workers of a server, and what they have left behind, are apart: each has the first place that nobody holds.
 * @throws what the system says; Error when there are too many
 */
export async function takePlace(root: string): Promise<Place> {
  for (let number = 0; number < MOST_PLACES; number++) {
    const place = await holding(root, String(number));
    if (place) return place;
  }
  throw new Error(`no place is free in ${root}`);
}

/** Those that nobody holds any more, one after the other; whoever gets one releases it. */
export async function* leftPlaces(root: string): AsyncGenerator<Place> {
  for (const name of await readdir(root).catch(() => [])) {
    const place = NUMBER.test(name) ? await holding(root, name) : undefined;
    if (place) yield place;
  }
}

async function holding(root: string, name: string): Promise<Place | undefined> {
  const folder = join(root, name);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const lock = lockOf(join(folder, 'lock'));
  return lock && { folder, release: () => lock.release() };
}

function lockOf(file: string): FileLock | undefined {
  try {
    return lockFile(file);
  } catch (error) {
    if (error instanceof FileTaken) return undefined;
    throw error;
  }
}
