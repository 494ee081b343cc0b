import { posix } from 'node:path';
import { ArchiveProblem } from './problem.ts';

/** @limit a name in an archive, characters -> an upload is 422; the run fails, and says so */
export const MAX_NAME = 1024;

/**
 * As file systems bound it.
 * @limit a file or folder of an archive, its own name, bytes -> an upload is 422; the run fails, and says so
 */
const MAX_PART_BYTES = 255;

/**
 * Where in the folder a name of an archive lies: without `.` and a slash at the end; empty for the folder itself.
 * @throws ArchiveProblem for one that does not lie in it
 */
export function nameInside(name: string): string {
  if (name.length > MAX_NAME) throw new ArchiveProblem(`it has a name of more than ${MAX_NAME} characters`);
  if (name.includes('\0')) throw new ArchiveProblem(`${shown(name)} is no name of a file`);
  if (name.startsWith('/')) throw new ArchiveProblem(`${shown(name)} is an absolute name`);
  const parts = name.split('/').filter((part) => part !== '' && part !== '.');
  if (parts.includes('..')) throw new ArchiveProblem(`${shown(name)} leads out of it`);
  const isLong = parts.some((part) => Buffer.byteLength(part) > MAX_PART_BYTES);
  if (isLong) throw new ArchiveProblem(`${shown(name)} has more than ${MAX_PART_BYTES} bytes between two slashes`);
  return parts.join('/');
}

/**
 * Where the working directory of a workspace lies in the folder; a slash at its beginning stands for the folder.
 * @throws ArchiveProblem for one that no archive can have
 */
export function workingDirectoryInside(relative: string): string {
  return nameInside(relative.replace(/^\/+/, ''));
}

/**
 * Whether what a symbolic link says stays in the folder. Only at its beginning may it go up: after a name that is a link itself, `..`
 * is not where it looks to be.
 * @param link where it lies, which no other link leads to
 */
export function staysInside(link: string, target: string): boolean {
  if (target === '' || target.startsWith('/') || target.includes('\0')) return false;
  const parts = target.split('/').filter((part) => part !== '' && part !== '.');
  const down = parts.findIndex((part) => part !== '..');
  if (down >= 0 && parts.indexOf('..', down) >= 0) return false;
  const leads = posix.join(posix.dirname(link), target);
  return leads !== '..' && !leads.startsWith('../');
}

/** For a message. */
export function shown(name: string): string {
  return JSON.stringify(name.length > 100 ? `${name.slice(0, 100)}…` : name);
}
