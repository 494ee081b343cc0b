import { GitError } from '../git-remote.ts';

/** Kind of an entry of a tree. `submodule`: a commit of another repository. */
export type EntryKind = 'folder' | 'file' | 'executable' | 'link' | 'submodule';

/** Entry of a tree. Names and ids are bytes as Latin-1, because names need not be UTF-8. */
export interface TreeEntry {
  readonly kind: EntryKind;
  /** 20 characters. */
  readonly id: string;
}

const ID_BYTES = 20;
const SPACE = 32;
/** Types of a mode, as in `stat(2)`. */
const TYPE_MASK = 0o170000;
const TYPES: ReadonlyMap<number, EntryKind> = new Map([
  [0o040000, 'folder'],
  [0o100000, 'file'],
  [0o120000, 'link'],
  [0o160000, 'submodule'],
]);

/**
 * Returns the entries of a tree by their names, in the order of the tree.
 * @throws GitError `invalid`
 */
export function treeEntries(tree: Buffer): Map<string, TreeEntry> {
  const entries = new Map<string, TreeEntry>();
  for (let at = 0; at < tree.length; ) {
    const space = tree.indexOf(SPACE, at);
    const zero = tree.indexOf(0, space);
    const next = zero + 1 + ID_BYTES;
    if (space < 0 || zero < 0 || next > tree.length) throw invalidTree();
    const name = tree.toString('latin1', space + 1, zero);
    if (name === '' || name.includes('/') || entries.has(name)) throw invalidTree();
    entries.set(name, {
      kind: kindOf(tree.toString('latin1', at, space)),
      id: tree.toString('latin1', zero + 1, next),
    });
    at = next;
  }
  return entries;
}

/** Git knows one permission of a file: whether it is executable for its owner. */
function kindOf(mode: string): EntryKind {
  const value = /^[0-7]{5,6}$/.test(mode) ? Number.parseInt(mode, 8) : 0;
  const kind = TYPES.get(value & TYPE_MASK);
  if (kind === undefined) throw invalidTree();
  return kind === 'file' && (value & 0o100) !== 0 ? 'executable' : kind;
}

/** Returns the hexadecimal id of 20 Latin-1 characters. */
export const hexId = (id: string): string => Buffer.from(id, 'latin1').toString('hex');

/** Returns bytes as text. Bytes that are not UTF-8 become U+FFFD. */
export const textOfName = (name: string): string =>
  /^[\0-\x7f]*$/.test(name) ? name : Buffer.from(name, 'latin1').toString('utf8');

function invalidTree(): GitError {
  return new GitError('invalid', 'The Git server sent a tree that cannot be read.');
}
