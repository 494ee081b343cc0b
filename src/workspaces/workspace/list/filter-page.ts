import type { Database, Queries } from '../../../storage/index.ts';
import type { Page } from '../../jsonapi/pagination.ts';
import { fragment } from '../../query/dynamic.ts';
import { organizationWideAccess, showsWorkspace } from '../../tenancy/index.ts';
import { Bits } from './bits.ts';
import type { CachedIndex } from './index-cache.ts';
import * as store from './index-store.ts';
import { type ListFilter, namePatterns } from './query.ts';
import type { ListScope } from './scope.ts';
import { type KeyUse, type Pair, pairsOf, type Term, termsOf } from './tags.ts';
import type { WorkspaceIndex } from './workspace-index.ts';

type Inherited = Awaited<ReturnType<typeof store.inheritedIn>>;

/** Input of all sets of links. It is read before the index is refreshed, see CachedIndex.links. */
interface FilterInput {
  readonly db: Queries;
  readonly cached: CachedIndex;
  /** Version of the bindings. */
  readonly bindings: number;
  readonly terms: readonly Term[];
  readonly excluded: readonly Term[];
  readonly pairs: readonly Pair[];
  readonly inherited: Inherited | undefined;
  /**
   * Teams with the versions of their grants, and the projects that these see; undefined for an actor who sees
   * everything.
   */
  readonly shown:
    | { readonly teams: readonly { id: string; version: number }[]; readonly projectIds: string[] }
    | undefined;
}

/** The ids of a page, and the total over all pages. */
export interface FilteredPage {
  readonly ids: readonly string[];
  readonly total: number;
  readonly counts: Counts | undefined;
}

/** Number of workspaces of each kind, regardless of the filter by that kind; the console shows them beside a list. */
export interface Counts {
  readonly total: number;
  readonly locked: number;
  /** Counts by status of the current run. Workspaces without a run are not included. */
  readonly runStatuses: Readonly<Record<string, number>>;
}

/**
 * Bounds the retries, so that constant changes cannot starve a list.
 * @limit attempts to read a list of workspaces while it changes, attempts -> the last result is sent
 */
const MAX_TRIES = 3;

/**
 * Returns one page of the workspaces that match the filter and that the grant shows, from the refreshed index. The
 * sets are built in slices; if the index changes meanwhile, the function starts again, so that a page is from one
 * version (optimistic concurrency).
 */
export async function filterPage(
  db: Database,
  cached: CachedIndex,
  scope: ListScope,
  filter: ListFilter,
  page: Page,
  wantsCounts = false,
): Promise<FilteredPage> {
  const input = await readFilterInput(db, cached, scope, filter);
  await cached.refresh(db);
  const { index } = cached;
  for (let tries = 1; ; tries++) {
    const { version } = index;
    await index.order(filter.sort);
    const wide = await matching(input, scope, filter);
    const locked = filter.locked !== undefined || wantsCounts ? await cached.locked(db) : undefined;
    const chosen = await narrowed(index, wide, locked, filter);
    const counts = wantsCounts && locked ? await countsOf(index, wide, locked) : undefined;
    if (index.version !== version && tries < MAX_TRIES) continue;
    const total = chosen.size;
    return { ids: index.page(chosen, total, filter.sort, page), total, counts };
  }
}

/** Applies the filters by status and lock last, because the counts ignore them. */
async function narrowed(
  index: WorkspaceIndex,
  wide: Bits,
  locked: Bits | undefined,
  filter: ListFilter,
): Promise<Bits> {
  const { runStatuses, locked: isLocked } = filter;
  const chosen = runStatuses.length === 0 ? wide : wide.and(await index.having('runStatus', runStatuses));
  if (locked === undefined || isLocked === undefined) return chosen;
  return isLocked ? chosen.and(locked) : chosen.andNot(locked);
}

async function countsOf(index: WorkspaceIndex, wide: Bits, locked: Bits): Promise<Counts> {
  const each = index.statuses.map(
    async (status) => [status, wide.and(await index.having('runStatus', [status])).size] as const,
  );
  const counted = (await Promise.all(each)).filter(([, count]) => count > 0);
  return { total: wide.size, locked: wide.and(locked).size, runStatuses: Object.fromEntries(counted) };
}

async function matching(input: FilterInput, scope: ListScope, filter: ListFilter): Promise<Bits> {
  const { index } = input.cached;
  let chosen = index.all;
  if (input.shown) chosen = chosen.and(await visible(input, input.shown));
  if (scope.projectId !== undefined) chosen = chosen.and(await index.inProjects([scope.projectId]));
  for (const pattern of namePatterns(filter)) chosen = chosen.and(await index.like(pattern));
  for (const term of input.terms) chosen = chosen.and(await taggedWith(input, term));
  for (const term of input.excluded) chosen = chosen.andNot(await taggedWith(input, term));
  const pairs: Bits[] = [];
  for (const pair of input.pairs) pairs.push(await havingPair(input, pair));
  if (filter.isUnion && pairs.length > 0) chosen = chosen.and(pairs.reduce((one, other) => one.or(other)));
  else for (const having of pairs) chosen = chosen.and(having);
  if (filter.engineVersion !== undefined) {
    chosen = chosen.and(await index.having('engineVersion', [filter.engineVersion]));
  }
  if (filter.hasState !== undefined) chosen = chosen.and(await index.having('hasState', [Number(filter.hasState)]));
  if (input.inherited) {
    const { modes, engines } = filter;
    if (modes.length > 0) chosen = chosen.and(await ofModes(index, modes, input.inherited));
    if (engines.length > 0) chosen = chosen.and(await ofEngines(index, engines, input.inherited));
  }
  return chosen;
}

/** Matches the workspace's own value, or else that of the project, or else that of the organization. */
async function ofModes(index: WorkspaceIndex, modes: readonly string[], { mode, projects }: Inherited): Promise<Bits> {
  const idsOf = (some: Inherited['projects']) => some.map(({ id }) => id);
  const ofProjects = await index.inProjects(idsOf(projects.filter((project) => modes.includes(project.mode))));
  const ofOthers = modes.includes(mode ?? '') ? index.all.andNot(await index.inProjects(idsOf(projects))) : new Bits();
  const inheriting = (await index.having('mode', [null])).and(ofProjects.or(ofOthers));
  return (await index.having('mode', modes)).or(inheriting);
}

function ofEngines(index: WorkspaceIndex, engines: readonly string[], { engine }: Inherited): Promise<Bits> {
  return index.having('engine', engines.includes(engine ?? '') ? [...engines, null] : engines);
}

async function readFilterInput(
  db: Queries,
  cached: CachedIndex,
  { grant }: ListScope,
  filter: ListFilter,
): Promise<FilterInput> {
  const { organizationId } = cached;
  const isTagged = [filter.tags, filter.excludedTags, filter.bindings].some((words) => words.length > 0);
  return {
    ...{ db, cached },
    bindings: isTagged ? ((await store.versionsOf(db, organizationId))?.bindings ?? 0) : 0,
    terms: await termsOf(db, organizationId, filter.tags),
    excluded: await termsOf(db, organizationId, filter.excludedTags),
    pairs: await pairsOf(db, organizationId, filter.bindings),
    inherited:
      filter.modes.length + filter.engines.length === 0 ? undefined : await store.inheritedIn(db, organizationId),
    shown: showsWorkspace(organizationWideAccess(grant))
      ? undefined
      : {
          teams: await store.teamVersions(db, grant.teamIds),
          projectIds: await store.projectsShownTo(db, grant.teamIds),
        },
  };
}

async function visible(
  { db, cached }: FilterInput,
  { teams, projectIds }: NonNullable<FilterInput['shown']>,
): Promise<Bits> {
  let seen = await cached.index.inProjects(projectIds);
  for (const { id, version } of teams) {
    const where = fragment`team_id = ${id} and shows = 1`;
    seen = seen.or(await cached.links(db, `team ${id}`, version, { table: 'team_workspace', where }));
  }
  return seen;
}

/** Returns the workspaces that have the term as a flat tag or as a key. */
async function taggedWith(input: FilterInput, term: Term): Promise<Bits> {
  const { db, cached } = input;
  const { tagId, version, bound } = term;
  const links = { table: 'workspace_tag', where: fragment`tag_id = ${tagId}` };
  const tagged = tagId === null ? new Bits() : await cached.links(db, `tag ${tagId}`, version ?? 0, links);
  return bound === 0 ? tagged : tagged.or(await havingKey(input, term));
}

async function havingKey(input: FilterInput, use: KeyUse): Promise<Bits> {
  return (await ofWorkspace(input, use, null)).or(await ofProject(input, use, null));
}

/**
 * Returns the workspaces on which a pair is effective: a workspace's value overrides that of its project, unless the
 * key is locked.
 */
async function havingPair(input: FilterInput, pair: Pair): Promise<Bits> {
  const { value, locked } = pair;
  if (value === null) return havingKey(input, pair);
  const [first, second] = locked === 1 ? [ofProject, ofWorkspace] : [ofWorkspace, ofProject];
  const others = (await second(input, pair, value)).andNot(await first(input, pair, null));
  return (await first(input, pair, value)).or(others);
}

function ofWorkspace({ db, cached, bindings }: FilterInput, { key }: KeyUse, value: string | null): Promise<Bits> {
  const valued = value === null ? fragment`` : fragment`and value = ${value}`;
  const where = fragment`organization_id = ${cached.organizationId} and key = ${key} ${valued}`;
  const name = `key ${JSON.stringify([key, value])}`;
  return cached.links(db, name, bindings, { table: 'tag_binding', where });
}

async function ofProject({ db, cached }: FilterInput, use: KeyUse, value: string | null): Promise<Bits> {
  if (use.projects === 0) return new Bits();
  return cached.index.inProjects(await store.projectsBound(db, cached.organizationId, use.key, value));
}
