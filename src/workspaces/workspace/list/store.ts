import type { Queries } from '../../../storage/index.ts';
import type { Page, Slice } from '../../jsonapi/pagination.ts';
import { organizationWideAccess, showsWorkspace } from '../../permissions/workspace.ts';
import { fragment, isOneOf, select } from '../../query/dynamic.ts';
import { COLUMNS, JOINS, THERE, type WorkspaceRow, workspaceOf } from '../row.ts';
import type { Workspace } from '../workspace.ts';
import { choiceOf } from './choice.ts';
import { type KeptRoster, Rosters } from './memory.ts';
import { type ListFilter, namePatterns, queryWorkspaces } from './query.ts';
import type { ListScope } from './scope.ts';

export { type ListFilter, SORTS } from './query.ts';

/** The filter that leaves all of them. */
export const EVERYTHING: ListFilter = {
  name: undefined,
  wildcardName: undefined,
  tags: [],
  excludedTags: [],
  bindings: [],
  isUnion: false,
  runStatuses: [],
  sort: 'name',
};

/**
 * One page of the workspaces that the grant shows, with all that a document needs. The database answers until `rosters`
 * have that of the organization.
 */
export async function listWorkspaces(
  db: Queries,
  scope: ListScope,
  filter: ListFilter,
  page: Page,
  rosters = new Rosters(),
): Promise<Slice<Workspace>> {
  const kept = await rosters.of(db, scope.organizationId, goesThroughAll(scope, filter));
  if (kept !== undefined) return pageOf(db, kept, scope, filter, page);
  const began = performance.now();
  const slice = await queryWorkspaces(db, scope, filter, page);
  rosters.spent(scope.organizationId, performance.now() - began);
  return slice;
}

/** Whether no index leads to the page and to the number of all: but to what is not searched, and to one tag by name. */
function goesThroughAll({ grant, projectId }: ListScope, filter: ListFilter): boolean {
  const { tags, excludedTags, bindings, runStatuses, sort } = filter;
  const conditions = namePatterns(filter).length + excludedTags.length + bindings.length + runStatuses.length;
  if (conditions + tags.length === 0) return false;
  const isOneTag = tags.length === 1 && conditions === 0 && (sort === 'name' || sort === '-name');
  return !isOneTag || projectId !== undefined || !showsWorkspace(organizationWideAccess(grant));
}

async function pageOf(
  db: Queries,
  kept: KeptRoster,
  scope: ListScope,
  filter: ListFilter,
  page: Page,
): Promise<Slice<Workspace>> {
  const chosen = await choiceOf(db, kept, scope, filter);
  const total = chosen.size;
  const ids = kept.roster.page(chosen, total, filter.sort, page);
  const rows = await select(
    db,
    fragment<WorkspaceRow>`select ${fragment.raw(COLUMNS)} from workspace w ${fragment.raw(JOINS)}
      where ${isOneOf('w.id', ids)} and ${fragment.raw(THERE)}`,
  );
  const byId = new Map(rows.map((row) => [row.id, row]));
  const items = ids.map((id) => byId.get(id)).filter((row) => row !== undefined);
  return { items: items.map(workspaceOf), total };
}
