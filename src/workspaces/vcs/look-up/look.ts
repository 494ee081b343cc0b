import type { Ref } from '../../../git/index.ts';
import { GitError } from '../../../git/index.ts';
import type { Queries } from '../../../storage/index.ts';
import type { ProviderRepository, Pull } from '../provider/port.ts';
import { ProviderError } from '../provider/provider-error.ts';
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

/**
 * Looks up refs and pull requests. The provider names the repository by its own id before anything runs, so another
 * repository under a former name starts nothing. It is not asked if nothing has changed.
 * @param isChanged whether a delivery says that the repository itself changed
 * @returns undefined if the provider does not have the repository any more
 */
export async function look(
  db: Queries,
  repository: Repository,
  opened: OpenedConnection,
  { wanted, now, isChanged }: { readonly wanted: Wanted; readonly now: number; readonly isChanged: boolean },
): Promise<Look | undefined> {
  const known = await store.refsOf(db, repository.id);
  const read = async ({ gitUrl, identifier }: Place) => {
    const refs = await opened.remote({ gitUrl, identifier }).refs(prefixesOf(wanted));
    const pulls = await lookAtPulls(db, { ...repository, identifier }, opened, now);
    return { refs, diff: compareRefs(known, refs, wanted), pulls };
  };
  const isDue = isChanged || now - repository.describedAt > DESCRIBE_AFTER;
  const found = isDue ? undefined : await read(repository).catch(undefinedIfMissing);
  if (found && found.diff.changes.length + found.pulls.changes.length === 0) return { described: undefined, ...found };
  const described = await opened.kind.provider.repository(opened.access, repository);
  if (described === undefined) return undefined;
  const isCurrent = found && isSamePlace(described, repository);
  return { described, ...(isCurrent ? found : await read(described)) };
}

type Place = Pick<Repository, 'gitUrl' | 'identifier'>;

function isSamePlace(described: Place, { gitUrl, identifier }: Place): boolean {
  return described.gitUrl === gitUrl && described.identifier === identifier;
}

/** A repository that was renamed may be missing under its former name, for Git and for APIs that know only names. */
function undefinedIfMissing(error: unknown): undefined {
  const isMissing =
    error instanceof ProviderError
      ? error.kind === 'rejected'
      : error instanceof GitError && (error.kind === 'gone' || error.kind === 'refused');
  if (!isMissing) throw error;
}

const noPulls = ({ pullsEtag }: Repository): PullLook => ({ changes: [], rows: [], etag: pullsEtag, isCut: false });

async function lookAtPulls(
  db: Queries,
  repository: Repository,
  { kind, access }: OpenedConnection,
  now: number,
): Promise<PullLook> {
  const { pulls } = kind.provider;
  if (pulls === undefined) return noPulls(repository);
  const open = await pulls.open(access, repository, repository.pullsEtag ?? undefined);
  if (open === undefined) return noPulls(repository);
  const known = await store.pullsOf(db, repository.id);
  const listed = new Set(open.items.map(({ number }) => number));
  const missing = [...known.values()].filter(({ number, state }) => state === 'open' && !listed.has(number));
  const asked: Pull[] = [];
  const gone: KnownPull[] = [];
  for (const row of inTurn(missing, now)) {
    const pull = await pulls.one(access, repository, row.number);
    if (pull === undefined) gone.push({ ...row, state: 'closed' });
    else asked.push(pull);
  }
  const found = [...open.items, ...asked].filter((pull) => !isForkOf(pull) || pull.headId !== '');
  const changed = [...found.map(knownPull), ...gone].filter((row) => !isSame(known.get(row.number), row));
  const isFirst = repository.lookedAt === null;
  const isLeft = missing.length > MOST_CLOSED;
  // One that is still open says that the list is not whole. Then the others are not asked for at once.
  const isCut = isLeft && asked.every(({ state }) => state !== 'open');
  return {
    changes: isFirst ? [] : comparePulls(known, found),
    rows: changed,
    // The next look-up must read the list again to find the others.
    etag: isLeft ? null : open.etag,
    isCut,
  };
}

/** Interval after which others of the pull requests that are not in the list have their turn, milliseconds. */
const TURN = 60_000;

/** Returns those pull requests whose turn it is: anybody can open so many that the list of a provider is never whole. */
function inTurn(missing: readonly KnownPull[], now: number): readonly KnownPull[] {
  const start = missing.length > MOST_CLOSED ? (Math.floor(now / TURN) * MOST_CLOSED) % missing.length : 0;
  return [...missing.slice(start), ...missing.slice(0, start)].slice(0, MOST_CLOSED);
}

function isSame(before: KnownPull | undefined, after: KnownPull): boolean {
  return (
    before !== undefined &&
    JSON.stringify(Object.entries(before).sort()) === JSON.stringify(Object.entries(after).sort())
  );
}
