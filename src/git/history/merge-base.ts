import type { Commit } from '../git-remote.ts';

/** Part of a history: commits by their ids. Parents of its oldest commits may not be in it. */
export type History = ReadonlyMap<string, Pick<Commit, 'parentIds' | 'committedAt'>>;

/** Best common ancestor of two commits in the known part of a history. */
export interface MergeBase {
  /** undefined: none is known. */
  readonly id: string | undefined;
  /** Whether unknown commits cannot change the result. */
  readonly isCertain: boolean;
}

/**
 * Finds the common ancestor that no other one has as an ancestor; the newest of several, as Git does. Ancestors of a
 * common ancestor cannot be better, so their unknown parents do not matter.
 */
export function findMergeBase(history: History, a: string, b: string): MergeBase {
  const [ofA, ofB] = [ancestors(history, [a]), ancestors(history, [b])];
  const common = [...ofA].filter((id) => ofB.has(id));
  const parents = common.flatMap((id) => history.get(id)?.parentIds ?? []);
  const worse = ancestors(history, parents);
  const best = common.filter((id) => !worse.has(id));
  const newest = best.sort((left, right) => dateOf(history, right) - dateOf(history, left))[0];
  const covered = new Set([...common, ...worse]);
  const isCertain = [...ofA, ...ofB].every((id) => covered.has(id) || isWhole(history, id));
  return { id: newest, isCertain };
}

const dateOf = (history: History, id: string): number => history.get(id)?.committedAt ?? 0;

const isWhole = (history: History, id: string): boolean =>
  history.get(id)?.parentIds.every((parentId) => history.has(parentId)) ?? false;

/** Returns the known commits from which the given ones come, and these. */
function ancestors(history: History, ids: readonly string[]): Set<string> {
  const found = new Set(ids.filter((id) => history.has(id)));
  for (const id of found)
    for (const parentId of history.get(id)?.parentIds ?? []) if (history.has(parentId)) found.add(parentId);
  return found;
}
