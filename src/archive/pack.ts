import { createWriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { create } from 'tar';

/** Folders to pack, and what to leave out. */
export interface Packing {
  /** Parent of the folders. */
  readonly from: string;
  readonly folders: readonly string[];
  /** Matches the paths that are left out, relative to `from`. */
  readonly without: RegExp;
}

/** Writes a tar.gz of folders into a new file that only its owner can read. */
export async function pack({ from, folders, without }: Packing, to: string, signal: AbortSignal): Promise<void> {
  const archive = create({ cwd: from, gzip: { level: 1 }, portable: true, filter: (path) => !without.test(path) }, [
    ...folders,
  ]);
  await pipeline(archive, createWriteStream(to, { mode: 0o600 }), { signal });
}
