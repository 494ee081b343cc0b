import { isUtf8 } from 'node:buffer';
import { GitError } from '../git-remote.ts';
import { textOfName } from '../objects/tree.ts';
import { printable } from '../protocol/server-error.ts';

/** Characters that the file system of macOS ignores in names. */
const IGNORED = /[\u200c-\u200f\u202a-\u202e\u2060-\u2064\u206a-\u206f\ufeff]/g;

/**
 * Returns a path of a tree as text.
 * @param path bytes as Latin-1
 * @throws GitError for a name that is not UTF-8, is `.` or `..`, or is `.git` on some file system
 */
export function checkedPath(path: string): string {
  const text = textOfName(path);
  const name = text.slice(text.lastIndexOf('/') + 1);
  if (!isUtf8(Buffer.from(path, 'latin1'))) throw refusedPath(text, 'its name is not UTF-8');
  if (name === '.' || name === '..') throw refusedPath(text, 'its name means another folder');
  if (isGitFolder(name)) throw refusedPath(text, 'its name is that of the folder of Git itself');
  return text;
}

/**
 * Returns whether a file system opens `.git` by this name: NTFS ignores dots and spaces at the end and what follows a
 * colon, and has the short name `GIT~1`; macOS ignores case and invisible characters.
 */
function isGitFolder(name: string): boolean {
  const [start = ''] = name.replaceAll(IGNORED, '').toLowerCase().split(':');
  return /^(\.git|git~1)[. ]*$/.test(start);
}

export function refusedPath(path: string, reason: string): GitError {
  return new GitError('unsupported', `The commit has the path ${printable(path)}, which cannot be used: ${reason}.`);
}
