import { createWriteStream } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { create } from 'tar';
import { CommandError } from '../errors/command-error.ts';

export interface BundleFile {
  readonly name: string;
  readonly text: string;
}

/**
 * Writes files into a tar.gz that only its owner can read.
 * @throws CommandError if the file exists or cannot be written; no partial file is left
 */
export async function writeBundle(out: string, files: readonly BundleFile[]): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'lockkeeper-bundle-'));
  try {
    for (const { name, text } of files) await writeFile(join(folder, name), text, { mode: 0o600 });
    const archive = create(
      { cwd: folder, gzip: true, portable: true },
      files.map(({ name }) => name),
    );
    await pipeline(archive, createWriteStream(out, { flags: 'wx', mode: 0o600 }));
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST') throw new CommandError(`${out} already exists and is not overwritten; choose another file`);
    await rm(out, { force: true });
    throw new CommandError(`${out} cannot be written: ${message}`);
  } finally {
    await rm(folder, { recursive: true });
  }
}
