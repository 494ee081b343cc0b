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

/** A page with counts, which exist only if requested and if the list comes from the index. */
export interface Listing<Item> extends Slice<Item> {
  readonly counts: Counts | undefined;
}

/** Filter that matches everything. */
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
 * Returns one page of the visible workspaces with all columns of a document. Reads from the database until `indexes`
 * has the organization's index.
 * @param read cached reader of workspaces
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

/** Limit for skipped rows and counted grants. More would block SQLite for too long. */
const MANY = 5000;

/**
 * Returns whether the database would scan all workspaces for the page or the total. A list by name with at most one
 * tag needs no scan.
 */
async function goesThroughAll(db: Queries, scope: ListScope, filter: ListFilter, page: Page): Promise<boolean> {
  const { tags, excludedTags, bindings, runStatuses, modes, engines, engineVersion, locked, hasState, sort } = filter;
  const lists = [namePatterns(filter), excludedTags, bindings, runStatuses, modes, engines];
  const conditions = [...lists.flat(), engineVersion, locked, hasState].filter((one) => one !== undefined).length;
  // Workspaces with equal times have no order in this index.
  if (conditions > 0 || page.offset > MANY || sort === '-latest-change-at') return true;
  const seesAll = showsWorkspace(organizationWideAccess(scope.grant));
  if (!seesAll && (await grantsUpTo(db, scope.grant.teamIds, MANY)) === MANY) return true;
  if (tags.length === 0) return false;
  const isByName = sort === 'name' || sort === '-name';
  if (tags.length > 1 || !isByName || scope.projectId !== undefined || !seesAll) return true;
  // A tag that is also a key of bindings needs a search in another table.
  return (await termsOf(db, scope.organizationId, tags)).some(({ bound }) => bound === 1);
}

function reading(db: Queries): ReadWorkspaces {
  return async (ids) => {
    const byId = new Map((await findWorkspaces(db, ids)).map((workspace) => [workspace.id, workspace]));
    return ids.flatMap((id) => byId.get(id) ?? []);
  };
}
