import { createWriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { create } from 'tar';

/** Files, folders and links to pack, without what the folders contain. */
export interface PackedPaths {
  readonly from: string;
  /** Relative to `from`. */
  readonly paths: readonly string[];
}

/** Writes a tar.gz of single paths into a new file that only its owner can read. */
export async function packPaths({ from, paths }: PackedPaths, to: string): Promise<void> {
  // tar reads a name that begins with @ as another archive.
  const names = paths.map((path) => `./${path}`);
  const archive = create({ cwd: from, gzip: true, portable: true, noDirRecurse: true }, names);
  await pipeline(archive, createWriteStream(to, { flags: 'wx', mode: 0o600 }));
}
