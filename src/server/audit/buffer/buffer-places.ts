import { mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { type FileLock, FileTaken, lockFile } from '../../../lib/locks/file-lock.ts';

/** Exclusive folder of one process inside the folder of a buffer. */
export interface Place {
  readonly folder: string;
  release(): void;
}

/** @limit processes that share an audit buffer folder, processes -> the next process does not start */
const MOST_PLACES = 1_000;
const NUMBER = /^\d{1,3}$/;

/**
 * Takes the first free folder. Workers and the remains of exited workers have separate folders.
 * @throws system errors; Error if all are taken
 */
export async function takePlace(root: string): Promise<Place> {
  for (let number = 0; number < MOST_PLACES; number++) {
    const place = await holding(root, String(number));
    if (place) return place;
  }
  throw new Error(`no free buffer folder in ${root}`);
}

/** Yields folders of exited processes. The caller releases each. */
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
