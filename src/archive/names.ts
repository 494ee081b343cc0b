import { posix } from 'node:path';
import { ArchiveProblem } from './problem.ts';

/** @limit length of a path in an archive, characters -> the upload gets 422; the run fails with an error */
export const MAX_NAME = 1024;

/**
 * The limit of common file systems.
 * @limit name of a file or folder in an archive, without its path, bytes -> the upload gets 422; the run fails with an
 * error
 */
const MAX_PART_BYTES = 255;

/**
 * Returns the position in the folder of a name in an archive, without `.` and without a slash at the end; empty for the
 * folder itself.
 * @throws ArchiveProblem if the name is outside of the folder
 */
export function nameInside(name: string): string {
  if (name.length > MAX_NAME) throw new ArchiveProblem(`it has a name of more than ${MAX_NAME} characters`);
  if (name.includes('\0')) throw new ArchiveProblem(`${shown(name)} is not a file name`);
  if (name.startsWith('/')) throw new ArchiveProblem(`${shown(name)} is an absolute name`);
  const parts = name.split('/').filter((part) => part !== '' && part !== '.');
  if (parts.includes('..')) throw new ArchiveProblem(`${shown(name)} is outside of it`);
  const isLong = parts.some((part) => Buffer.byteLength(part) > MAX_PART_BYTES);
  if (isLong) throw new ArchiveProblem(`${shown(name)} has a part of more than ${MAX_PART_BYTES} bytes`);
  return parts.join('/');
}

/**
 * Returns the position of a folder that a user names, such as a working directory. A leading slash means the root of the
 * archive.
 * @throws ArchiveProblem for a folder that no archive can have
 */
export function folderInside(relative: string): string {
  return nameInside(relative.replace(/^\/+/, ''));
}

/**
 * Returns whether the target of a symbolic link stays in the folder. `..` is allowed only at the start of the target:
 * behind a name that may itself be a link, `..` leads somewhere else.
 * @param link position of the link; no other link may be above it
 */
export function staysInside(link: string, target: string): boolean {
  if (target === '' || target.startsWith('/') || target.includes('\0')) return false;
  const parts = target.split('/').filter((part) => part !== '' && part !== '.');
  const down = parts.findIndex((part) => part !== '..');
  if (down >= 0 && parts.indexOf('..', down) >= 0) return false;
  const leads = posix.join(posix.dirname(link), target);
  return leads !== '..' && !leads.startsWith('../');
}

/** Quotes and shortens a name for a message. */
export function shown(name: string): string {
  return JSON.stringify(name.length > 100 ? `${name.slice(0, 100)}…` : name);
}
