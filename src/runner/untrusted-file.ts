import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';

/**
 * Reads a small file that an engine, or the configuration that it runs, may have written. Follows no link, waits for no pipe.
 * @param limit bytes
 * @throws Error where it is no file, or larger
 */
export function readUntrusted(path: string, limit: number): string {
  const file = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    if (!fstatSync(file).isFile()) throw new Error('it is no file');
    const bytes = Buffer.alloc(limit + 1);
    const length = readSync(file, bytes);
    if (length > limit) throw new Error(`it is larger than ${limit} bytes`);
    return bytes.toString('utf8', 0, length);
  } finally {
    closeSync(file);
  }
}
