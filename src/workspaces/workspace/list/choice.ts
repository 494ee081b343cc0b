import type { Database, Queries } from '../../../storage/index.ts';
import type { Page } from '../../jsonapi/pagination.ts';
import { fragment } from '../../query/dynamic.ts';
import { organizationWideAccess, showsWorkspace } from '../../tenancy/index.ts';
import { Bits } from './bits.ts';
import type { KeptRoster } from './memory.ts';
import { type ListFilter, namePatterns } from './query.ts';
import type { Roster } from './roster.ts';
import * as store from './roster-store.ts';
import type { ListScope } from './scope.ts';
import { type KeyUse, type Pair, pairsOf, type Term, termsOf } from './tags.ts';

type Inherited = Awaited<ReturnType<typeof store.inheritedIn>>;

/** Everything that links are read by. It is read before the roster is refreshed (KeptRoster.links). */
interface Asked {
  readonly db: Queries;
  readonly kept: KeptRoster;
  /** Version of the bindings. */
  readonly bindings: number;
  readonly terms: readonly Term[];
  readonly excluded: readonly Term[];
  readonly pairs: readonly Pair[];
  readonly inherited: Inherited | undefined;
  /** Teams with the versions of their grants, and the projects that are shown to them; undefined for whoever sees all. */
  readonly shown:
    | { readonly teams: readonly { id: string; version: number }[]; readonly projectIds: string[] }
    | undefined;
}

/** What is on a page, and how many there are on all. */
export interface Chosen {
  readonly ids: readonly string[];
  readonly total: number;
  readonly counts: Counts | undefined;
}

/** How many there are of each kind, whatever of it the filter asks for: what is beside a list to choose from. */
export interface Counts {
  readonly total: number;
  readonly locked: number;
  /** By the status of the current run; those without one are not in it. */
  readonly runStatuses: Readonly<Record<string, number>>;
}

/**
 * Whoever changes workspaces all the while does not keep others from their lists.
 * @limit tries to make a list that others change meanwhile, tries -> it is sent as it was found last
 */
const MAX_TRIES = 3;

/**
 * One page of what a filter leaves of the roster, as far as the grant of the scope shows it. Brings the roster up to date.
 * Sets that are made first take their time: where the roster has changed meanwhile, the choice is made again, of one state.
 */
export async function choosePage(
  db: Database,
  kept: KeptRoster,
  scope: ListScope,
  filter: ListFilter,
  page: Page,
  wantsCounts = false,
): Promise<Chosen> {
  const asked = await ask(db, kept, scope, filter);
  await kept.refresh(db);
  const { roster } = kept;
  for (let tries = 1; ; tries++) {
    const { version } = roster;
    await roster.order(filter.sort);
    const wide = await choiceOf(asked, scope, filter);
    const locked = filter.locked !== undefined || wantsCounts ? await kept.locked(db) : undefined;
    const chosen = await narrowed(roster, wide, locked, filter);
    const counts = wantsCounts && locked ? await countsOf(roster, wide, locked) : undefined;
    if (roster.version !== version && tries < MAX_TRIES) continue;
    const total = chosen.size;
    return { ids: roster.page(chosen, total, filter.sort, page), total, counts };
  }
}

/** What is counted is chosen last. */
async function narrowed(roster: Roster, wide: Bits, locked: Bits | undefined, filter: ListFilter): Promise<Bits> {
  const { runStatuses, locked: isLocked } = filter;
  const chosen = runStatuses.length === 0 ? wide : wide.and(await roster.having('runStatus', runStatuses));
  if (locked === undefined || isLocked === undefined) return chosen;
  return isLocked ? chosen.and(locked) : chosen.andNot(locked);
}

async function countsOf(roster: Roster, wide: Bits, locked: Bits): Promise<Counts> {
  const each = roster.statuses.map(
    async (status) => [status, wide.and(await roster.having('runStatus', [status])).size] as const,
  );
  const counted = (await Promise.all(each)).filter(([, count]) => count > 0);
  return { total: wide.size, locked: wide.and(locked).size, runStatuses: Object.fromEntries(counted) };
}

async function choiceOf(asked: Asked, scope: ListScope, filter: ListFilter): Promise<Bits> {
  const { roster } = asked.kept;
  let chosen = roster.there;
  if (asked.shown) chosen = chosen.and(await visible(asked, asked.shown));
  if (scope.projectId !== undefined) chosen = chosen.and(await roster.inProjects([scope.projectId]));
  for (const pattern of namePatterns(filter)) chosen = chosen.and(await roster.like(pattern));
  for (const term of asked.terms) chosen = chosen.and(await carriers(asked, term));
  for (const term of asked.excluded) chosen = chosen.andNot(await carriers(asked, term));
  const pairs: Bits[] = [];
  for (const pair of asked.pairs) pairs.push(await havingPair(asked, pair));
  if (filter.isUnion && pairs.length > 0) chosen = chosen.and(pairs.reduce((one, other) => one.or(other)));
  else for (const having of pairs) chosen = chosen.and(having);
  if (filter.engineVersion !== undefined) {
    chosen = chosen.and(await roster.having('engineVersion', [filter.engineVersion]));
  }
  if (filter.hasState !== undefined) chosen = chosen.and(await roster.having('hasState', [Number(filter.hasState)]));
  if (asked.inherited) {
    const { modes, engines } = filter;
    if (modes.length > 0) chosen = chosen.and(await ofModes(roster, modes, asked.inherited));
    if (engines.length > 0) chosen = chosen.and(await ofEngines(roster, engines, asked.inherited));
  }
  return chosen;
}

/** Their own, or else that of the project, or else that of the organization. */
async function ofModes(roster: Roster, modes: readonly string[], { mode, projects }: Inherited): Promise<Bits> {
  const idsOf = (some: Inherited['projects']) => some.map(({ id }) => id);
  const ofProjects = await roster.inProjects(idsOf(projects.filter((project) => modes.includes(project.mode))));
  const ofOthers = modes.includes(mode ?? '')
    ? roster.there.andNot(await roster.inProjects(idsOf(projects)))
    : new Bits();
  const inheriting = (await roster.having('mode', [null])).and(ofProjects.or(ofOthers));
  return (await roster.having('mode', modes)).or(inheriting);
}

function ofEngines(roster: Roster, engines: readonly string[], { engine }: Inherited): Promise<Bits> {
  return roster.having('engine', engines.includes(engine ?? '') ? [...engines, null] : engines);
}

async function ask(db: Queries, kept: KeptRoster, { grant }: ListScope, filter: ListFilter): Promise<Asked> {
  const { organizationId } = kept;
  const isTagged = [filter.tags, filter.excludedTags, filter.bindings].some((words) => words.length > 0);
  return {
    ...{ db, kept },
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

async function visible({ db, kept }: Asked, { teams, projectIds }: NonNullable<Asked['shown']>): Promise<Bits> {
  let seen = await kept.roster.inProjects(projectIds);
  for (const { id, version } of teams) {
    const where = fragment`team_id = ${id} and shows = 1`;
    seen = seen.or(await kept.links(db, `team ${id}`, version, { table: 'team_workspace', where }));
  }
  return seen;
}

/** Those that carry the term: as a flat tag, or as a key. */
async function carriers(asked: Asked, term: Term): Promise<Bits> {
  const { db, kept } = asked;
  const { tagId, version, bound } = term;
  const links = { table: 'workspace_tag', where: fragment`tag_id = ${tagId}` };
  const tagged = tagId === null ? new Bits() : await kept.links(db, `tag ${tagId}`, version ?? 0, links);
  return bound === 0 ? tagged : tagged.or(await havingKey(asked, term));
}

async function havingKey(asked: Asked, use: KeyUse): Promise<Bits> {
  return (await ofWorkspace(asked, use, null)).or(await ofProject(asked, use, null));
}

/** Those on which a pair has effect: their own value hides that of their project, unless the key is locked. */
async function havingPair(asked: Asked, pair: Pair): Promise<Bits> {
  const { value, locked } = pair;
  if (value === null) return havingKey(asked, pair);
  const [first, second] = locked === 1 ? [ofProject, ofWorkspace] : [ofWorkspace, ofProject];
  const others = (await second(asked, pair, value)).andNot(await first(asked, pair, null));
  return (await first(asked, pair, value)).or(others);
}

function ofWorkspace({ db, kept, bindings }: Asked, { key }: KeyUse, value: string | null): Promise<Bits> {
  const valued = value === null ? fragment`` : fragment`and value = ${value}`;
  const where = fragment`organization_id = ${kept.organizationId} and key = ${key} ${valued}`;
  const name = `key ${JSON.stringify([key, value])}`;
  return kept.links(db, name, bindings, { table: 'tag_binding', where });
}

async function ofProject({ db, kept }: Asked, use: KeyUse, value: string | null): Promise<Bits> {
  if (use.projects === 0) return new Bits();
  return kept.roster.inProjects(await store.projectsBound(db, kept.organizationId, use.key, value));
}
