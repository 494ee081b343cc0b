import {
  advance,
  type GlobStates,
  isMatch,
  type Meter,
  nextNames,
  type PathGlob,
  startOf,
} from '../../../lib/path-glob.ts';
import type { Steps } from '../../../lib/slices.ts';

/** Comparisons, or files added to the tree, in one step. */
const IN_STEP = 1_000;

/** A changed file, a folder that has some, or both if one replaced the other. */
export interface FileTree {
  readonly children: Map<string, FileTree>;
  isFile: boolean;
}

const newNode = (): FileTree => ({ children: new Map(), isFile: false });

/** Builds the tree of the files of a change, which is searched for many workspaces. */
export function* treeOf(paths: readonly string[]): Steps<FileTree> {
  const root = newNode();
  for (const [index, path] of paths.entries()) {
    let node = root;
    for (const name of path.split('/')) node = childOf(node, name);
    node.isFile = true;
    if (index % IN_STEP === IN_STEP - 1) yield;
  }
  return root;
}

function childOf({ children }: FileTree, name: string): FileTree {
  const known = children.get(name);
  if (known !== undefined) return known;
  const made = newNode();
  children.set(name, made);
  return made;
}

/** Returns the first files at or below a path, which is given by its names. */
export function filesBelow(tree: FileTree, names: readonly string[], most: number): string[] {
  let node: FileTree | undefined = tree;
  for (const name of names) node = node?.children.get(name);
  const found: string[] = [];
  const collect = (at: FileTree, path: readonly string[]) => {
    if (at.isFile) found.push(path.join('/'));
    for (const [name, child] of at.children) {
      if (found.length >= most) return;
      collect(child, [...path, name]);
    }
  };
  if (node !== undefined) collect(node, names);
  return found.slice(0, most);
}

/** A folder whose entries are being compared. */
interface Visit {
  readonly entries: Iterator<readonly [string, FileTree]>;
  readonly states: GlobStates;
  readonly path: string;
}

/**
 * Yields the paths of files that match a pattern, and undefined after each step of work. Folders in which nothing can
 * match are not visited.
 */
export function* matchesIn(tree: FileTree, glob: PathGlob, meter: Meter): Generator<string | undefined, void> {
  const visits = [visit(tree, glob, startOf(glob), '')];
  let next = meter.steps + IN_STEP;
  for (let current = visits.at(-1); current !== undefined; current = visits.at(-1)) {
    const { done, value } = current.entries.next();
    if (done) {
      visits.pop();
      continue;
    }
    const [name, node] = value;
    const states = advance(glob, current.states, name, meter);
    if (states.size > 0) {
      const path = current.path === '' ? name : `${current.path}/${name}`;
      if (node.isFile && isMatch(glob, states)) yield path;
      if (node.children.size > 0) visits.push(visit(node, glob, states, path));
    }
    if (++meter.steps < next) continue;
    next = meter.steps + IN_STEP;
    yield undefined;
  }
}

function visit({ children }: FileTree, glob: PathGlob, states: GlobStates, path: string): Visit {
  const names = nextNames(glob, states);
  if (names === undefined) return { entries: children.entries(), states, path };
  const found = names.flatMap((name) => {
    const node = children.get(name);
    return node === undefined ? [] : [[name, node] as const];
  });
  return { entries: found.values(), states, path };
}
