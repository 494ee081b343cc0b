import type { Database, Queries } from '../../../storage/index.ts';
import type { Page, Slice } from '../../jsonapi/pagination.ts';
import { organizationWideAccess, showsWorkspace } from '../../tenancy/index.ts';
import { findWorkspaces } from '../model/store.ts';
import type { Workspace } from '../model/workspace.ts';
import { type Counts, filterPage } from './filter-page.ts';
import { WorkspaceIndexCache } from './index-cache.ts';
import { type ListFilter, namePatterns, queryWorkspaces, type ReadWorkspaces } from './query.ts';
import { grantsUpTo, type ListScope } from './scope.ts';
import { termsOf } from './tags.ts';

export { type ListFilter, SORTS } from './query.ts';

/** A page, and what there is beside it to choose from: where that was asked for, and comes from memory. */
export interface Listing<Item> extends Slice<Item> {
  readonly counts: Counts | undefined;
}

/** The filter that leaves all of them. */
export const EVERYTHING: ListFilter = {
  name: undefined,
  wildcardName: undefined,
  tags: [],
  excludedTags: [],
  bindings: [],
  isUnion: false,
  runStatuses: [],
  modes: [],
  engines: [],
  engineVersion: undefined,
  locked: undefined,
  hasState: undefined,
  sort: 'name',
};

/**
 * One page of the workspaces that the grant shows, with all that a document needs. The database answers until `rosters`
 * have that of the organization.
 * @param read where workspaces are kept
 */
export async function listWorkspaces(
  db: Database,
  scope: ListScope,
  filter: ListFilter,
  page: Page,
  indexes = new WorkspaceIndexCache(),
  read?: ReadWorkspaces,
  wantsCounts = false,
): Promise<Listing<Workspace>> {
  const isWanted = async () => wantsCounts || (await goesThroughAll(db, scope, filter, page));
  const cached = await indexes.indexOf(db, scope.organizationId, isWanted);
  if (cached !== undefined) {
    const { ids, total, counts } = await filterPage(db, cached, scope, filter, page, wantsCounts);
    return { items: await (read ?? reading(db))(ids), total, counts };
  }
  const began = performance.now();
  const slice = await queryWorkspaces(db, scope, filter, page, read);
  indexes.addTimeSpent(scope.organizationId, performance.now() - began);
  return { ...slice, counts: undefined };
}

/** To skip more rows, or to count more grants, keeps SQLite busy for longer than others should wait. */
const MANY = 5000;

/** Whether the database has no short way to the page and to the number of all. Short is the way to one tag by name. */
async function goesThroughAll(db: Queries, scope: ListScope, filter: ListFilter, page: Page): Promise<boolean> {
  const { tags, excludedTags, bindings, runStatuses, modes, engines, engineVersion, locked, hasState, sort } = filter;
  const lists = [namePatterns(filter), excludedTags, bindings, runStatuses, modes, engines];
  const conditions = [...lists.flat(), engineVersion, locked, hasState].filter((one) => one !== undefined).length;
  // No index has those of one moment in this order.
  if (conditions > 0 || page.offset > MANY || sort === '-latest-change-at') return true;
  const seesAll = showsWorkspace(organizationWideAccess(scope.grant));
  if (!seesAll && (await grantsUpTo(db, scope.grant.teamIds, MANY)) === MANY) return true;
  if (tags.length === 0) return false;
  const isByName = sort === 'name' || sort === '-name';
  if (tags.length > 1 || !isByName || scope.projectId !== undefined || !seesAll) return true;
  // As a key of bindings too it is looked for in another table.
  return (await termsOf(db, scope.organizationId, tags)).some(({ bound }) => bound === 1);
}

function reading(db: Queries): ReadWorkspaces {
  return async (ids) => {
    const byId = new Map((await findWorkspaces(db, ids)).map((workspace) => [workspace.id, workspace]));
    return ids.flatMap((id) => byId.get(id) ?? []);
  };
}
