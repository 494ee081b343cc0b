import type { Ref } from '../../../git/index.ts';

/** A stored ref. The commit is empty if a look-up did not find the ref. */
export interface KnownRef {
  readonly name: string;
  readonly commitId: string;
}

/** Branches and tags that the workspaces of a repository follow. */
export interface Wanted {
  readonly branches: readonly string[];
  /** Whether a workspace follows the default branch. */
  readonly followsDefault: boolean;
  readonly followsTags: boolean;
}

/** Change of a branch or tag. */
export interface RefChange {
  readonly kind: 'push' | 'tag';
  /** Without `refs/…/`. */
  readonly ref: string;
  readonly beforeId: string | null;
  readonly afterId: string | null;
}

/** Result of a comparison. */
export interface RefDiff {
  readonly changes: readonly RefChange[];
  /** Rows to write. */
  readonly rows: readonly KnownRef[];
  /** Names of rows to delete. */
  readonly removed: readonly string[];
  /** Whether changes are left for another look-up. */
  readonly isCut: boolean;
}

const HEADS = 'refs/heads/';
const TAGS = 'refs/tags/';
/** @limit new events of one look-up of a repository, events -> the others follow in the next look-up */
const MOST_CHANGES = 200;

/** Returns the prefixes of refs that a look-up needs. */
export function prefixesOf({ branches, followsTags }: Wanted): string[] {
  return ['HEAD', ...branches.map((branch) => HEADS + branch), ...(followsTags ? [TAGS] : [])];
}

/** Returns the default branch; null in an empty repository. */
export function defaultBranchOf(refs: readonly Ref[]): string | null {
  const target = refs.find(({ name }) => name === 'HEAD')?.target;
  return target?.startsWith(HEADS) ? target.slice(HEADS.length) : (target ?? null);
}

/**
 * Compares the refs of a repository with those of the last look-up. A branch that is seen for the first time is only
 * noted; one that was missing before and exists now is new.
 */
export function compareRefs(known: readonly KnownRef[], refs: readonly Ref[], wanted: Wanted): RefDiff {
  const before = new Map(known.map(({ name, commitId }) => [name, commitId]));
  const current = currentRefs(refs, wanted);
  const found: Found[] = [...branchChanges(before, current, wanted, refs), ...tagChanges(before, current, wanted)];
  const changed = found.filter(({ change }) => change !== undefined);
  const late = new Set(changed.slice(MOST_CHANGES).map(({ name }) => name));
  const kept = found.filter(({ name }) => !late.has(name));
  const followed = new Set(found.map(({ name }) => name));
  const unfollowed = known.filter(({ name }) => !followed.has(name));
  const isGone = ({ name, commitId }: KnownRef) => isTag(name) && commitId === '' && name !== TAGS;
  return {
    changes: kept.flatMap(({ change }) => change ?? []),
    rows: kept.filter((ref) => before.get(ref.name) !== ref.commitId && !isGone(ref)),
    removed: [...unfollowed, ...kept.filter(isGone)].map(({ name }) => name),
    isCut: late.size > 0,
  };
}

interface Found extends KnownRef {
  readonly change: RefChange | undefined;
}

const isTag = (name: string) => name.startsWith(TAGS);

function currentRefs(refs: readonly Ref[], { followsDefault }: Wanted): Map<string, string> {
  const current = new Map(refs.map(({ name, commitId }) => [name, commitId]));
  const head = refs.find(({ name }) => name === 'HEAD');
  if (followsDefault && head?.target) current.set(head.target, head.commitId);
  return current;
}

function branchChanges(
  before: ReadonlyMap<string, string>,
  current: ReadonlyMap<string, string>,
  { branches, followsDefault }: Wanted,
  refs: readonly Ref[],
): Found[] {
  const byDefault = followsDefault ? defaultBranchOf(refs) : null;
  const names = new Set([...branches, ...(byDefault === null ? [] : [byDefault])]);
  return [...names].map((ref) => {
    const name = HEADS + ref;
    const commitId = current.get(name) ?? '';
    const old = before.get(name);
    return { name, commitId, change: old === undefined ? undefined : changeOf('push', ref, old, commitId) };
  });
}

/** A row named `refs/tags/` says that the tags of the repository were noted once. */
function tagChanges(
  before: ReadonlyMap<string, string>,
  current: ReadonlyMap<string, string>,
  { followsTags }: Wanted,
): Found[] {
  if (!followsTags) return [];
  const isFirst = !before.has(TAGS);
  const names = new Set([...before.keys(), ...current.keys()].filter((name) => isTag(name) && name !== TAGS));
  const found = [...names].map((name) => {
    const commitId = current.get(name) ?? '';
    const change = isFirst ? undefined : changeOf('tag', name.slice(TAGS.length), before.get(name) ?? '', commitId);
    return { name, commitId, change };
  });
  return [{ name: TAGS, commitId: '', change: undefined }, ...found];
}

function changeOf(kind: RefChange['kind'], ref: string, before: string, after: string): RefChange | undefined {
  return before === after ? undefined : { kind, ref, beforeId: before || null, afterId: after || null };
}
