import { nextTurn } from '../../../lib/slices.ts';
import { type Dialect, type Queries, sql } from '../../../storage/index.ts';
import { tallied, talliedChanges } from '../../platform/tally.ts';
import { type Fragment, fragment, isOneOf, select } from '../../query/dynamic.ts';
import { NOT_DELETED } from '../model/row.ts';
import { settingsColumns } from './settings-columns.ts';
import type { Listed } from './workspace-index.ts';

/** Logical clock: later changes have higher numbers. */
type Clock = { readonly clock: number };
type Changed = Listed & Clock & { readonly touched: number };
type Since = { organizationId: string; since: number; after: string; limit: number };

const columns = (dialect: Dialect) => `w.id, w.name, w.project_id AS "projectId", w.latest_change_at AS "changedAt",
  w.current_run_created_at AS "runAt", w.current_run_status AS "runStatus",
  ${settingsColumns(dialect)}`;

// A transaction that was still open in this snapshot numbers its changes at least by the snapshot's xmin. Numbers
// above xmax come from a dump of another cluster.
const XMIN = 'pg_snapshot_xmin(pg_current_snapshot())::text::bigint - 1';
const XMAX = 'pg_snapshot_xmax(pg_current_snapshot())::text::bigint';
const selectClock = {
  sqlite: sql<Record<never, never>, Clock>('SELECT ticks AS clock FROM workspace_clock'),
  postgres: sql<Record<never, never>, Clock>(`SELECT ${XMIN} AS clock`),
} as const;
/** Rows of one page. PostgreSQL sorts all remaining rows for each page, so a page should not be too small. */
const PAGE = { sqlite: 500, postgres: 1500 } as const;
const AFTER = `w.organization_id = :organizationId AND (w.touched, w.id) > (:since, :after)`;
const selectChanged = {
  sqlite: sql<Since, Changed>(
    `SELECT ${columns('sqlite')}, w.touched, w.touched AS clock FROM workspace w
     WHERE ${AFTER} ORDER BY w.touched, w.id LIMIT :limit`,
  ),
  postgres: sql<Since, Changed>(
    `SELECT ${columns('postgres')}, w.touched, ${XMIN} AS clock FROM workspace w
     WHERE ${AFTER} AND w.touched < ${XMAX} ORDER BY w.touched, w.id LIMIT :limit`,
  ),
} as const;
const CHANGES_OF_TEAM = fragment.raw(talliedChanges('team.id'));
/** Sorts after every id: a query from this position skips everything at the clock's own number. */
const LAST_ID = '~';
const some = (dialect: Dialect) =>
  sql<{ organizationId: string; after: string; limit: number }, Listed>(
    `SELECT ${columns(dialect)} FROM workspace w
     WHERE w.organization_id = :organizationId AND w.name > :after AND ${NOT_DELETED} ORDER BY w.name LIMIT :limit`,
  );
const selectSome = { sqlite: some('sqlite'), postgres: some('postgres') } as const;
const selectVersions = sql<{ id: string }, { bindings: number; workspaces: number }>(
  `SELECT binding_version + ${talliedChanges('organization.id')} AS bindings,
     workspace_count + ${tallied('organization.id')} AS workspaces
   FROM organization WHERE id = :id`,
);

/** Returns the clock value to pass to `changedSince` for all later changes. */
export async function readClock(db: Queries): Promise<number> {
  return (await db.one(selectClock[db.dialect], {}))?.clock ?? 0;
}

/** Returns workspaces that are not deleted in the order of their names, after a name. */
export function readRowsAfter(db: Queries, organizationId: string, after: string, limit: number) {
  return db.all(selectSome[db.dialect], { organizationId, after, limit });
}

/**
 * Returns all workspaces that have changed since a clock value, including deleted ones, and the next clock value. Some
 * may be returned again. Reads page by page; a workspace that changes meanwhile moves to a later page.
 */
export async function changedSince(db: Queries, organizationId: string, since: number) {
  const limit = PAGE[db.dialect];
  const query = selectChanged[db.dialect];
  let page = await db.all(query, { organizationId, since, after: LAST_ID, limit });
  const changed = page;
  // The clock of a later page would be too late for transactions that were open at the first page.
  let clock = Math.max(since, page.at(-1)?.clock ?? since);
  for (let last = page.at(-1); page.length === limit && last !== undefined; last = page.at(-1)) {
    await nextTurn();
    page = await db.all(query, { organizationId, since: last.touched, after: last.id, limit });
    changed.push(...page);
    if (db.dialect === 'sqlite') clock = page.at(-1)?.clock ?? clock;
  }
  return { rows: changed, clock };
}

/**
 * Returns a number that grows with each change of a binding, and the number of workspaces. Returns undefined when the
 * organization is gone.
 */
export function versionsOf(db: Queries, id: string) {
  return db.one(selectVersions, { id });
}

/** Returns a version for each team that grows with each change of its workspace grants. */
export async function teamVersions(db: Queries, teamIds: readonly string[]) {
  return select(
    db,
    fragment<{
      id: string;
      version: number;
    }>`select id, version + ${CHANGES_OF_TEAM} as version from team where ${isOneOf('id', teamIds)}`,
  );
}

/** Returns the projects that teams see as a whole. */
export async function projectsShownTo(db: Queries, teamIds: readonly string[]): Promise<string[]> {
  const found = await select(
    db,
    fragment<{ id: string }>`select distinct project_id as id from team_project
      where ${isOneOf('team_id', teamIds)} and shows = 1`,
  );
  return found.map(({ id }) => id);
}

/** Returns at most `limit` ids of workspaces that a table of links has under a condition. */
export async function linkedWorkspaces(
  db: Queries,
  table: string | Fragment,
  where: Fragment,
  limit: number,
): Promise<string[]> {
  const from = typeof table === 'string' ? fragment.raw(table) : table;
  const found = await select(
    db,
    fragment<{ id: string }>`select workspace_id as id from ${from} where ${where} limit ${limit}`,
  );
  return found.map(({ id }) => id);
}

/**
 * Returns the linked ones of these ids. The order of a cross join makes SQLite look each id up instead of scanning all
 * links.
 */
export function linkedWorkspacesAmong(
  db: Queries,
  table: string,
  where: Fragment,
  ids: readonly string[],
): Promise<string[]> {
  if (db.dialect === 'postgres') {
    return linkedWorkspaces(db, table, fragment`${isOneOf('workspace_id', ids)} and ${where}`, ids.length);
  }
  const wanted = fragment`(select id as wanted from workspace where ${isOneOf('id', ids)}) w cross join ${fragment.raw(table)}`;
  return linkedWorkspaces(db, wanted, fragment`workspace_id = w.wanted and ${where}`, ids.length);
}

/** Returns the ids of the projects that have a key with the given value, or with any. */
export async function projectsBound(db: Queries, organizationId: string, key: string, value: string | null) {
  const valued = value === null ? fragment`` : fragment`and value = ${value}`;
  const found = await select(
    db,
    fragment<{ id: string }>`select project_id as id from project_tag_binding
      where organization_id = ${organizationId} and key = ${key} ${valued}`,
  );
  return found.map(({ id }) => id);
}

/** Returns the inherited defaults of an organization: those of projects that set their own, and the organization's. */
export async function inheritedIn(db: Queries, organizationId: string) {
  const [organization] = await select(
    db,
    fragment<{ mode: string; engine: string }>`select default_execution_mode as mode, default_engine as engine
      from organization where id = ${organizationId}`,
  );
  const projects = await select(
    db,
    fragment<{ id: string; mode: string }>`select id, default_execution_mode as mode from project
      where organization_id = ${organizationId} and default_execution_mode is not null`,
  );
  return { mode: organization?.mode, engine: organization?.engine, projects };
}
