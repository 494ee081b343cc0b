import type { Queries } from '../../../../storage/index.ts';
import type { Page, Slice } from '../../../jsonapi/pagination.ts';
import { allOf, type Fragment, fragment, isOneOf, select } from '../../../query/dynamic.ts';
import { NOT_DELETED } from '../../../workspace/index.ts';
import { type Run, SHOWN } from '../run.ts';
import { COLUMNS, POSITION, type RunRow, runOf } from '../store.ts';

type ListedRow = RunRow & { readonly position: number };
/** A run and its position in the queue of the organization. */
export type ListedRun = Run & { readonly position: number };

const SELECT = fragment.raw(`select ${COLUMNS}, ${POSITION} from run r`);
export const IS_SHOWN = fragment.raw(SHOWN);
export const IN_WORKSPACE = fragment`exists (select 1 from workspace w where w.id = r.workspace_id and ${fragment.raw(NOT_DELETED)})`;

function listed({ position, ...row }: ListedRow): ListedRun {
  return { ...runOf(row), position };
}

/** Returns one page of the runs of a workspace, newest first, and the total number. */
export async function listRunsOfWorkspace(
  db: Queries,
  workspaceId: string,
  where: readonly Fragment[],
  page: Page,
): Promise<Slice<ListedRun>> {
  const matching = allOf([fragment`r.workspace_id = ${workspaceId} and ${IS_SHOWN}`, ...where]);
  const rows = await select(
    db,
    fragment<ListedRow>`${SELECT} where ${matching} order by r.created_at desc, r.id desc
      limit ${page.size} offset ${page.offset}`,
  );
  const [counted] = await select(
    db,
    fragment<{ count: number }>`select count(*) as count from run r where ${matching}`,
  );
  return { items: rows.map(listed), total: counted?.count ?? 0 };
}

/** Returns one page of the runs of an organization, newest first, and whether there are more. */
export async function listRunsOfOrganization(
  db: Queries,
  organizationId: string,
  where: readonly Fragment[],
  page: Page,
): Promise<{ items: ListedRun[]; more: boolean }> {
  const mine = fragment`r.organization_id = ${organizationId} and ${IS_SHOWN}`;
  const matching = allOf([mine, IN_WORKSPACE, ...where]);
  const rows = await select(
    db,
    fragment<ListedRow>`${SELECT} where ${matching}
      order by r.created_at desc, r.id desc limit ${page.size + 1} offset ${page.offset}`,
  );
  return { items: rows.slice(0, page.size).map(listed), more: rows.length > page.size };
}

/** Returns one page of the queue of an organization, next run first, and the total number. */
export async function listQueuedRuns(
  db: Queries,
  organizationId: string,
  where: readonly Fragment[],
  page: Page,
): Promise<Slice<ListedRun>> {
  const mine = fragment`r.organization_id = ${organizationId} and r.queued = 1 and ${IS_SHOWN}`;
  const matching = allOf([mine, IN_WORKSPACE, ...where]);
  const rows = await select(
    db,
    fragment<ListedRow>`${SELECT} where ${matching} order by r.queue_class, r.queue_turn, r.id
      limit ${page.size} offset ${page.offset}`,
  );
  const [counted] = await select(
    db,
    fragment<{ count: number }>`select count(*) as count from run r where ${matching}`,
  );
  return { items: rows.map(listed), total: counted?.count ?? 0 };
}

/** Returns the runs with these ids. */
export async function findListedRuns(db: Queries, ids: readonly string[]): Promise<ListedRun[]> {
  if (ids.length === 0) return [];
  return (await select(db, fragment<ListedRow>`${SELECT} where ${isOneOf('r.id', ids)}`)).map(listed);
}

/** Returns the newest visible run of each of these configuration versions. */
export async function newestRuns(db: Queries, configurationIds: readonly string[]): Promise<ListedRun[]> {
  if (configurationIds.length === 0) return [];
  const newest = fragment`select n.id from run n where n.configuration_version_id = c.id and n.operation <> 'assessment'
    order by n.created_at desc, n.id desc limit 1`;
  const ids = fragment`select (${newest}) from configuration_version c where ${isOneOf('c.id', configurationIds)}`;
  return (await select(db, fragment<ListedRow>`${SELECT} where r.id in (${ids})`)).map(listed);
}
