import type { GitBounds } from '../bounds.ts';
import { GitError } from '../git-remote.ts';
import type { Snapshot } from '../objects/snapshot.ts';
import { type TreeEntry, textOfName } from '../objects/tree.ts';

type WalkBounds = Pick<GitBounds, 'treeDepth' | 'paths'>;

/** An entry with its path, whose names are bytes as Latin-1. */
export interface Placed extends TreeEntry {
  readonly path: string;
}

/** Yields all entries below a tree, each folder before its content, in the order of Git. */
export function* walkTree(
  snapshot: Snapshot,
  treeId: string,
  bounds: Pick<GitBounds, 'treeDepth'>,
  above = '',
  depth = 1,
): Generator<Placed> {
  checkDepth(depth, bounds);
  for (const [name, entry] of snapshot.tree(treeId)) {
    const path = `${above}${name}`;
    yield { ...entry, path };
    if (entry.kind === 'folder') yield* walkTree(snapshot, entry.id, bounds, `${path}/`, depth + 1);
  }
}

/** Returns the paths of all folders, sorted. */
export function foldersOf(snapshot: Snapshot, treeId: string, bounds: WalkBounds): string[] {
  const folders: string[] = [];
  for (const { kind, path } of walkTree(snapshot, treeId, bounds)) {
    if (kind !== 'folder') continue;
    checkCount(folders.length + 1, bounds);
    folders.push(textOfName(path));
  }
  return folders.sort();
}

/**
 * Returns the paths of all files, links and submodules that differ between two trees, sorted. Equal folders are not
 * visited.
 */
export function changedPaths(snapshot: Snapshot, before: string, after: string, bounds: WalkBounds): string[] {
  const paths: string[] = [];
  compare(before, after, '', 1);
  return paths.sort();

  function compare(from: string | undefined, to: string | undefined, above: string, depth: number): void {
    if (from === to) return;
    checkDepth(depth, bounds);
    const old = from === undefined ? NO_ENTRIES : snapshot.tree(from);
    const young = to === undefined ? NO_ENTRIES : snapshot.tree(to);
    for (const [name, entry] of old) compareEntry(entry, young.get(name), `${above}${name}`, depth);
    for (const [name, entry] of young) if (!old.has(name)) compareEntry(undefined, entry, `${above}${name}`, depth);
  }

  function compareEntry(old: TreeEntry | undefined, young: TreeEntry | undefined, path: string, depth: number): void {
    if (old?.id === young?.id && old?.kind === young?.kind) return;
    const [from, to] = [folderId(old), folderId(young)];
    if (from !== undefined || to !== undefined) compare(from, to, `${path}/`, depth + 1);
    if ((old && from === undefined) || (young && to === undefined)) {
      checkCount(paths.length + 1, bounds);
      paths.push(textOfName(path));
    }
  }
}

const NO_ENTRIES: ReadonlyMap<string, TreeEntry> = new Map();

const folderId = (entry: TreeEntry | undefined): string | undefined =>
  entry?.kind === 'folder' ? entry.id : undefined;

function checkDepth(depth: number, { treeDepth }: Pick<GitBounds, 'treeDepth'>): void {
  if (depth > treeDepth) throw new GitError('limit', `The commit has more than ${treeDepth} nested folders.`);
}

function checkCount(count: number, { paths }: WalkBounds): void {
  if (count > paths) throw new GitError('limit', `The list has more than ${paths} paths.`);
}
