import { rm, writeFile } from 'node:fs/promises';
import { packFiles } from '../../archive/index.ts';
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
  const contents = files.map(({ name, text }) => ({ name, content: text }));
  const archive = packFiles(contents, { mode: 0o600, modifiedAt: new Date() });
  try {
    await writeFile(out, archive, { flag: 'wx', mode: 0o600 });
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST') throw new CommandError(`${out} already exists and is not overwritten; choose another file`);
    await rm(out, { force: true });
    throw new CommandError(`${out} cannot be written: ${message}`);
  }
}
