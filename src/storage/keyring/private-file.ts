import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { dirname } from 'node:path';

const GROUP_READS = 0o040;
const USABLE_BY_OTHERS = 0o077;

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
  const { mode, uid, gid, size } = await handle.stat();
  const mayRead = isGiven(file, uid, gid) ? GROUP_READS : 0;
  if ((mode & USABLE_BY_OTHERS & ~mayRead) !== 0) throw refusal('may be used by others than its owner: chmod 600 it');
  if (size > maxBytes) throw refusal('is too large to be one');
  return handle.readFile('utf8');
}

/**
 * Whoever runs containers owns what they hand us, and lets us read it by our group (Secrets); systemd keeps others out of the folder of
 * credentials, and lets us in by an access list, which shows as a right of the group.
 */
function isGiven(file: string, uid: number, gid: number): boolean {
  if (dirname(file) === process.env.CREDENTIALS_DIRECTORY) return true;
  return uid === 0 && process.getuid?.() !== 0 && gid === process.getgid?.();
}
