import { type Commit, GitError } from '../git-remote.ts';
import { parseCommit, taggedId } from './commit.ts';
import type { GitObject, Pack } from './pack.ts';
import { hexId, type TreeEntry, treeEntries } from './tree.ts';

/** @limit annotated tags of a Git repository that point to each other, tags -> the commit cannot be used; the reason is shown */
const MAX_TAGS = 10;

/** Commits, trees and files of a pack. */
export class Snapshot {
  readonly #pack: Pack;

  constructor(pack: Pack) {
    this.#pack = pack;
  }

  /**
   * Returns a commit. The id of an annotated tag gives the tagged commit.
   * @throws GitError
   */
  commit(id: string): Commit {
    let at = id;
    for (let tags = 0; tags <= MAX_TAGS; tags++) {
      const found = this.#pack.find(at);
      if (!found) throw notSent('commit', at);
      if (found.kind === 'commit') return parseCommit(at, found.data);
      const next = found.kind === 'tag' ? taggedId(found.data) : undefined;
      if (next === undefined) break;
      at = next;
    }
    throw new GitError('invalid', `The object ${id} is not a commit.`);
  }

  /** Returns a commit; undefined if it was not fetched. */
  findCommit(id: string): Commit | undefined {
    const found = this.#pack.find(id);
    return found?.kind === 'commit' ? parseCommit(id, found.data) : undefined;
  }

  /** Returns the entries of a tree by name. @param id 20 bytes as Latin-1 */
  tree(id: string): Map<string, TreeEntry> {
    return treeEntries(this.#object('tree', id).data);
  }

  /** Returns the content of a file. @param id 20 bytes as Latin-1 */
  file(id: string): Buffer {
    return this.#object('blob', id).data;
  }

  #object(kind: 'tree' | 'blob', id: string): GitObject {
    const found = this.#pack.findBinary(id);
    if (found?.kind !== kind) throw notSent(kind === 'tree' ? 'folder' : 'file', hexId(id));
    return found;
  }
}

function notSent(kind: string, id: string): GitError {
  return new GitError('invalid', `The Git server did not send the ${kind} ${id}.`);
}

/** Returns a hexadecimal id as 20 Latin-1 characters. */
export const binaryId = (id: string): string => Buffer.from(id, 'hex').toString('latin1');
