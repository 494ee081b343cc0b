import type { Queries } from '../../storage/index.ts';
import type { Page, Slice } from '../jsonapi/pagination.ts';
import { fragment, isOneOf, select } from '../query/dynamic.ts';
import { SeenLists } from './list-memory.ts';
import type { Names } from './list-names.ts';
import { type ListFilter, namePatterns, queryWorkspaces, SORTS } from './list-query.ts';
import type { ListScope } from './list-scope.ts';
import { COLUMNS, JOINS, type WorkspaceRow, workspaceOf } from './row.ts';
import type { Workspace } from './workspace.ts';

export { type ListFilter, SORTS } from './list-query.ts';

/** The filter that leaves all of them. */
export const EVERYTHING: ListFilter = {
  name: undefined,
  wildcardName: undefined,
  tags: [],
  excludedTags: [],
  bindings: [],
  runStatuses: [],
  sort: 'name',
};

/** One page of the workspaces that the grant shows, with all that a document needs. `seen` remembers earlier lists. */
export async function listWorkspaces(
  db: Queries,
  scope: ListScope,
  filter: ListFilter,
  page: Page,
  seen = new SeenLists(),
): Promise<Slice<Workspace>> {
  const list = await seen.of(db, scope);
  const patterns = namePatterns(filter);
  // A search goes through all names for its page and again to count them, and compares each.
  const rows = patterns.length === 0 ? page.offset : 3 * scope.count;
  if (!isOfNames(filter) || !list.isWorthReading(rows)) return queryWorkspaces(db, scope, list, filter, page);
  return pageOfNames(db, scope, await seen.names(db, list, patterns), filter, page);
}

/** Whether names alone tell what is in the list, and in which order. */
function isOfNames({ sort, tags, excludedTags, bindings, runStatuses }: ListFilter): boolean {
  const others = [tags, excludedTags, bindings, runStatuses].some((terms) => terms.length > 0);
  return (sort === 'name' || sort === '-name') && !others;
}

async function pageOfNames(
  db: Queries,
  { organizationId }: ListScope,
  names: Names,
  { sort }: ListFilter,
  page: Page,
): Promise<Slice<Workspace>> {
  const shown = names.page(page.offset, page.size, sort === '-name');
  const found = await select(
    db,
    fragment<WorkspaceRow>`select ${fragment.raw(COLUMNS)} from workspace w ${fragment.raw(JOINS)}
      where w.organization_id = ${organizationId} and ${isOneOf('w.name', shown)}
      order by ${fragment.raw(SORTS[sort]('w.name'))}`,
  );
  return { items: found.map(workspaceOf), total: names.count };
}
