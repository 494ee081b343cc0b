import type { Ref } from '../../../git/index.ts';
import { GitError } from '../../../git/index.ts';
import type { Queries } from '../../../storage/index.ts';
import type { ProviderRepository, Pull } from '../provider/port.ts';
import { NO_REPOSITORY } from '../repository/failures.ts';
import type { OpenedConnection } from '../repository/opened.ts';
import type { Repository } from '../repository/repository.ts';
import { comparePulls, isForkOf, type KnownPull, knownPull, type PullChange } from './pulls.ts';
import { compareRefs, prefixesOf, type RefDiff, type Wanted } from './refs.ts';
import * as store from './store.ts';

/** Interval after which the provider describes a repository again: its name and default branch, milliseconds. */
const DESCRIBE_AFTER = 6 * 3_600_000;
/**
 * Pull requests that are not in the list of open ones any more.
 * @limit closed pull requests that one look-up asks for, pull requests -> the others follow in the next look-up
 */
const MOST_CLOSED = 20;

/** State of a repository at its provider. */
export interface Look {
  readonly described: ProviderRepository | undefined;
  readonly refs: readonly Ref[];
  readonly diff: RefDiff;
  readonly pulls: PullLook;
}

/** Pull requests that differ from the stored ones. */
interface PullLook {
  readonly changes: readonly PullChange[];
  readonly rows: readonly KnownPull[];
  readonly etag: string | null;
  readonly isCut: boolean;
}

/** Returned instead of a look for a repository that the provider does not have any more. */
export type NoRepository = typeof NO_REPOSITORY;

/**
 * Looks up refs and pull requests. The provider names the repository by its own id before anything runs, so another
 * repository under a former name starts nothing.
 * @param isChanged whether a delivery says that the repository itself changed
 */
export async function look(
  db: Queries,
  repository: Repository,
  opened: OpenedConnection,
  { wanted, now, isChanged }: { readonly wanted: Wanted; readonly now: number; readonly isChanged: boolean },
): Promise<Look | NoRepository> {
  const known = await store.refsOf(db, repository.id);
  const describe = () => opened.kind.provider.repository(opened.access, { providerId: repository.providerId });
  let described = isChanged || now - repository.describedAt > DESCRIBE_AFTER ? await describe() : undefined;
  if (described === undefined && isChanged) return NO_REPOSITORY;
  const refsAt = (gitUrl: string) => opened.remote({ gitUrl }).refs(prefixesOf(wanted));
  const readAt = described?.gitUrl ?? repository.gitUrl;
  let refs = await refsAt(readAt).catch((error: unknown) => {
    if (described !== undefined || !isMissing(error)) throw error;
    return undefined;
  });
  const isGone = refs === undefined;
  // A provider without the repository also refuses to list its pull requests, for a reason that helps nobody.
  if (isGone) described = await describe();
  if (isGone && described === undefined) return NO_REPOSITORY;
  let diff = refs && compareRefs(known, refs, wanted);
  const pulls = await lookAtPulls(db, repository, opened);
  if (described === undefined && ((diff?.changes.length ?? 0) > 0 || pulls.changes.length > 0)) {
    described = await describe();
    if (described === undefined) return NO_REPOSITORY;
  }
  if (described !== undefined && (isGone || described.gitUrl !== readAt)) {
    refs = await refsAt(described.gitUrl);
    diff = undefined;
  }
  const found = refs ?? [];
  return { described, refs: found, diff: diff ?? compareRefs(known, found, wanted), pulls };
}

/** A repository that was renamed may be missing under its former name. */
function isMissing(error: unknown): boolean {
  return error instanceof GitError && (error.kind === 'gone' || error.kind === 'refused');
}

async function lookAtPulls(db: Queries, repository: Repository, { kind, access }: OpenedConnection): Promise<PullLook> {
  const { pulls } = kind.provider;
  const none = { changes: [], rows: [], etag: repository.pullsEtag, isCut: false };
  if (pulls === undefined) return none;
  const open = await pulls.open(access, repository, repository.pullsEtag ?? undefined);
  if (open === undefined) return none;
  const known = await store.pullsOf(db, repository.id);
  const listed = new Set(open.items.map(({ number }) => number));
  const missing = [...known.values()].filter(({ number, state }) => state === 'open' && !listed.has(number));
  const closed: Pull[] = [];
  for (const { number } of missing.slice(0, MOST_CLOSED)) {
    const pull = await pulls.one(access, repository, number);
    if (pull !== undefined) closed.push(pull);
  }
  const found = [...open.items, ...closed].filter((pull) => !isForkOf(pull) || pull.headId !== '');
  const changed = found.map(knownPull).filter((row) => !isSame(known.get(row.number), row));
  const isFirst = repository.lookedAt === null;
  const isCut = missing.length > MOST_CLOSED;
  return {
    changes: isFirst ? [] : comparePulls(known, found),
    rows: changed,
    // The next look-up must read the list again to find the others.
    etag: isCut ? null : open.etag,
    isCut,
  };
}

function isSame(before: KnownPull | undefined, after: KnownPull): boolean {
  return (
    before !== undefined &&
    JSON.stringify(Object.entries(before).sort()) === JSON.stringify(Object.entries(after).sort())
  );
}
