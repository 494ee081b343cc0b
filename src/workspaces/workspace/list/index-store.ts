import { nextTurn } from '../../../lib/slices.ts';
import { type Dialect, type Queries, sql } from '../../../storage/index.ts';
import { tallied, talliedChanges } from '../../platform/tally.ts';
import { type Fragment, fragment, isOneOf, select } from '../../query/dynamic.ts';
import { NOT_DELETED } from '../model/row.ts';
import { settingsColumns } from './settings-columns.ts';
import type { Listed } from './workspace-index.ts';

/** What is changed later has a higher number. */
type Clock = { readonly clock: number };
type Changed = Listed & Clock & { readonly touched: number };
type Since = { organizationId: string; since: number; after: string; limit: number };

const columns = (dialect: Dialect) => `w.id, w.name, w.project_id AS "projectId", w.latest_change_at AS "changedAt",
  w.current_run_created_at AS "runAt", w.current_run_status AS "runStatus",
  ${settingsColumns(dialect)}`;

// Whatever a transaction changes that was not over in this snapshot has at least the number of the oldest of those. What has
// more than this cluster ever gave came with a dump of another one.
const XMIN = 'pg_snapshot_xmin(pg_current_snapshot())::text::bigint - 1';
const XMAX = 'pg_snapshot_xmax(pg_current_snapshot())::text::bigint';
const selectClock = {
  sqlite: sql<Record<never, never>, Clock>('SELECT ticks AS clock FROM workspace_clock'),
  postgres: sql<Record<never, never>, Clock>(`SELECT ${XMIN} AS clock`),
} as const;
/** Rows of one page. To send one, PostgreSQL looks at all that are left, so that there should not be too many. */
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
/** Behind every id, so that nothing at a number itself has changed since. */
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

/** What `changedSince` is to be given for what changes from now on. */
export async function readClock(db: Queries): Promise<number> {
  return (await db.one(selectClock[db.dialect], {}))?.clock ?? 0;
}

/** Some of those that are there, by name, behind a name. */
export function readRowsAfter(db: Queries, organizationId: string, after: string, limit: number) {
  return db.all(selectSome[db.dialect], { organizationId, after, limit });
}

/**
 * All that have changed since, some of them perhaps before, deleted ones too, each as it was last seen; and the clock for the
 * next time. Many are read page by page: whoever changes meanwhile moves behind those that are yet to come.
 */
export async function changedSince(db: Queries, organizationId: string, since: number) {
  const limit = PAGE[db.dialect];
  const query = selectChanged[db.dialect];
  let page = await db.all(query, { organizationId, since, after: LAST_ID, limit });
  const changed = page;
  // Of a later page the clock would be too late for what was not over at the first.
  let clock = Math.max(since, page.at(-1)?.clock ?? since);
  for (let last = page.at(-1); page.length === limit && last !== undefined; last = page.at(-1)) {
    await nextTurn();
    page = await db.all(query, { organizationId, since: last.touched, after: last.id, limit });
    changed.push(...page);
    if (db.dialect === 'sqlite') clock = page.at(-1)?.clock ?? clock;
  }
  return { rows: changed, clock };
}

/** Another number whenever a binding has changed, and how many workspaces there are. Undefined when the organization is gone. */
export function versionsOf(db: Queries, id: string) {
  return db.one(selectVersions, { id });
}

/** Of each team, a number that changes with the workspaces that are shown to it one by one. */
export async function teamVersions(db: Queries, teamIds: readonly string[]) {
  return select(
    db,
    fragment<{
      id: string;
      version: number;
    }>`select id, version + ${CHANGES_OF_TEAM} as version from team where ${isOneOf('id', teamIds)}`,
  );
}

/** The projects that are shown to a team as a whole. */
export async function projectsShownTo(db: Queries, teamIds: readonly string[]): Promise<string[]> {
  const found = await select(
    db,
    fragment<{ id: string }>`select distinct project_id as id from team_project
      where ${isOneOf('team_id', teamIds)} and shows = 1`,
  );
  return found.map(({ id }) => id);
}

/** The ids of the workspaces that a table of links has under a condition, at most so many. */
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

/** Those of these ids. Each is looked up: SQLite would go through all links, but for the order of a cross join. */
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

/** The ids of the projects that have a key, with a value or with any. */
export async function projectsBound(db: Queries, organizationId: string, key: string, value: string | null) {
  const valued = value === null ? fragment`` : fragment`and value = ${value}`;
  const found = await select(
    db,
    fragment<{ id: string }>`select project_id as id from project_tag_binding
      where organization_id = ${organizationId} and key = ${key} ${valued}`,
  );
  return found.map(({ id }) => id);
}

/** What is inherited in an organization: by workspaces of the projects that say so themselves, and by all others. */
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
