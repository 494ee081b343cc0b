import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { dirname } from 'node:path';

const READABLE_BY_OTHERS = 0o077;

/**
 * A text that only its owner may read.
 * @param refusal makes the error of what is wrong with the file: `is absent…`
 */
export async function readPrivate(
  file: string,
  maxBytes: number,
  refusal: (what: string, cause?: unknown) => Error,
): Promise<string> {
  const handle = await open(file, constants.O_RDONLY).catch((cause: NodeJS.ErrnoException) => {
    throw refusal(cause.code === 'ENOENT' ? 'is not there' : `cannot be read: ${cause.code}`, cause);
  });
  try {
    return await read(file, handle, maxBytes, refusal);
  } finally {
    await handle.close();
  }
}

async function read(
  file: string,
  handle: FileHandle,
  maxBytes: number,
  refusal: (what: string) => Error,
): Promise<string> {
  const { mode, size } = await handle.stat();
  if ((mode & READABLE_BY_OTHERS) !== 0 && !isCredential(file))
    throw refusal('may be used by others than its owner: chmod 600 it');
  if (size > maxBytes) throw refusal('is too large to be one');
  return handle.readFile('utf8');
}

/** systemd keeps others out of the folder, and lets our user in by an access list, which shows as a right of the group. */
function isCredential(file: string): boolean {
  return process.env.CREDENTIALS_DIRECTORY !== undefined && dirname(file) === process.env.CREDENTIALS_DIRECTORY;
}
