import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { dirname } from 'node:path';

const GROUP_READS = 0o040;
const USABLE_BY_OTHERS = 0o077;

/**
 * Reads a file that only its owner may read.
 * @param refusal creates the error from its text, such as `is missing…`
 */
export async function readPrivate(
  file: string,
  maxBytes: number,
  refusal: (what: string, cause?: unknown) => Error,
): Promise<string> {
  const handle = await open(file, constants.O_RDONLY).catch((cause: NodeJS.ErrnoException) => {
    throw refusal(cause.code === 'ENOENT' ? 'does not exist' : `cannot be read: ${cause.code}`, cause);
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
  const { mode, uid, gid, size } = await handle.stat();
  const mayRead = isGiven(file, uid, gid) ? GROUP_READS : 0;
  if ((mode & USABLE_BY_OTHERS & ~mayRead) !== 0)
    throw refusal('can be accessed by other users than its owner: chmod 600 it');
  if (size > maxBytes) throw refusal('is too large');
  return handle.readFile('utf8');
}

/**
 * Accepts files that container runtimes and systemd provide. Container runtimes own the files of secrets and give this
 * process access by its group; systemd protects the folder of credentials and gives access by an access list, which
 * looks like a right of the group.
 */
function isGiven(file: string, uid: number, gid: number): boolean {
  if (dirname(file) === process.env.CREDENTIALS_DIRECTORY) return true;
  return uid === 0 && process.getuid?.() !== 0 && gid === process.getgid?.();
}
