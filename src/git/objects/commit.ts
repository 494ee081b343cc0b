import { type Commit, GitError } from '../git-remote.ts';

/**
 * Maximum size of a message, after which it is cut.
 * @limit message of a Git commit that is kept, bytes -> the rest is cut off
 */
const MAX_MESSAGE = 65_536;
/** @limit name of the author of a Git commit, bytes -> the rest is cut off */
const MAX_AUTHOR = 1_024;
const TREE = /^tree ([\da-f]{40})$/;
const PARENT = /^parent ([\da-f]{40})$/;
/** Name, e-mail address, seconds since 1970, time zone. */
const AUTHOR = /^author (.*?) ?<[^>]*>/;
const COMMITTER = /^committer .*> (\d{1,11}) [+-]\d+$/;

/**
 * Reads a commit.
 * @throws GitError `invalid`
 * @see https://git-scm.com/docs/git-commit-tree
 */
export function parseCommit(id: string, data: Buffer): Commit {
  const end = data.indexOf('\n\n');
  const lines = data.toString('utf8', 0, end < 0 ? data.length : end).split('\n');
  const [, treeId] = TREE.exec(lines[0] ?? '') ?? [];
  if (treeId === undefined) throw new GitError('invalid', 'The Git server sent a commit that cannot be read.');
  const parentIds: string[] = [];
  for (const line of lines.slice(1)) {
    const [, parentId] = PARENT.exec(line) ?? [];
    if (parentId === undefined) break;
    parentIds.push(parentId);
  }
  const found = (pattern: RegExp) => lines.map((line) => pattern.exec(line)?.[1]).find((text) => text !== undefined);
  return {
    ...{ id, treeId, parentIds },
    message: end < 0 ? '' : cut(data.subarray(end + 2), MAX_MESSAGE),
    author: cut(Buffer.from(found(AUTHOR) ?? ''), MAX_AUTHOR),
    committedAt: Number(found(COMMITTER) ?? 0) * 1_000,
  };
}

/** Cuts a text between two characters. */
function cut(text: Buffer, maxBytes: number): string {
  let end = Math.min(text.length, maxBytes);
  if (end < text.length) while (end > 0 && ((text[end] ?? 0) & 0xc0) === 0x80) end--;
  return text.toString('utf8', 0, end);
}

/** Returns the id of the object to which an annotated tag points. */
export function taggedId(data: Buffer): string | undefined {
  return /^object ([\da-f]{40})\n/.exec(data.toString('latin1', 0, 48))?.[1];
}
