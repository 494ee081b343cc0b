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
export function* walkTree(snapshot: Snapshot, treeId: string, bounds: WalkBounds): Generator<Placed> {
  const visits = new Visits(bounds);
  yield* walk(treeId, '', 1);

  function* walk(id: string, above: string, depth: number): Generator<Placed> {
    visits.count(depth);
    for (const [name, entry] of snapshot.tree(id)) {
      const path = `${above}${name}`;
      yield { ...entry, path };
      if (entry.kind === 'folder') yield* walk(entry.id, `${path}/`, depth + 1);
    }
  }
}

/** A small repository may have the same folder at endlessly many places, so the visits are counted. */
class Visits {
  readonly #bounds: WalkBounds;
  #visits = 0;

  constructor(bounds: WalkBounds) {
    this.#bounds = bounds;
  }

  count(depth: number): void {
    const { treeDepth, paths } = this.#bounds;
    if (depth > treeDepth) throw new GitError('limit', `The commit has more than ${treeDepth} nested folders.`);
    if (++this.#visits > paths) throw new GitError('limit', `The commit has more than ${paths} folders.`);
  }
}

/** Returns the paths of all folders, sorted. */
export function foldersOf(snapshot: Snapshot, treeId: string, bounds: WalkBounds): string[] {
  const folders: string[] = [];
  for (const { kind, path } of walkTree(snapshot, treeId, bounds)) {
    if (kind === 'folder') folders.push(textOfName(path));
  }
  return folders.sort();
}

/**
 * Returns the paths of all files, links and submodules that differ between two trees, sorted. Equal folders are not
 * visited.
 */
export function changedPaths(snapshot: Snapshot, before: string, after: string, bounds: WalkBounds): string[] {
  const paths: string[] = [];
  const visits = new Visits(bounds);
  compare(before, after, '', 1);
  return paths.sort();

  function compare(from: string | undefined, to: string | undefined, above: string, depth: number): void {
    if (from === to) return;
    visits.count(depth);
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
      if (paths.length === bounds.paths) throw new GitError('limit', `More than ${bounds.paths} files differ.`);
      paths.push(textOfName(path));
    }
  }
}

const NO_ENTRIES: ReadonlyMap<string, TreeEntry> = new Map();

const folderId = (entry: TreeEntry | undefined): string | undefined =>
  entry?.kind === 'folder' ? entry.id : undefined;
