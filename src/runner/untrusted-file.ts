import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';

/**
 * Reads a small file that an engine or its configuration may have written. Follows no links and does not block on a
 * pipe.
 * @param limit bytes
 * @throws Error if it is not a regular file, or larger
 */
export function readUntrusted(path: string, limit: number): string {
  const file = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    if (!fstatSync(file).isFile()) throw new Error('it is not a regular file');
    const bytes = Buffer.alloc(limit + 1);
    const length = readSync(file, bytes);
    if (length > limit) throw new Error(`it is larger than ${limit} bytes`);
    return bytes.toString('utf8', 0, length);
  } finally {
    closeSync(file);
  }
}
