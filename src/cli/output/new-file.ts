import { createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { resolve } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { CommandError } from '../errors/command-error.ts';

/**
 * Writes a new file that only its owner can read, or standard output without a path. A partial file is removed.
 * @throws CommandError if the file exists or cannot be written
 */
export async function writeNewFile(content: AsyncIterable<Uint8Array>, out: string | undefined): Promise<void> {
  if (out === undefined) return pipeline(content, process.stdout, { end: false });
  const path = resolve(out);
  const file = createWriteStream(path, { flags: 'wx', mode: 0o600 });
  await pipeline(content, file).catch(async (error: NodeJS.ErrnoException) => {
    if (error.code === 'EEXIST') throw new CommandError(`${path} already exists; choose another file`);
    if (error.syscall === 'open') throw new CommandError(`${path} cannot be written: ${error.message}`);
    await rm(path, { force: true });
    throw error;
  });
}
