import { type Dialect, type Queries, sql } from '../../../storage/index.ts';
import { tallied, talliedChanges } from '../../platform/tally.ts';
import { type Fragment, fragment, isOneOf, select } from '../../query/dynamic.ts';
import { readClock, workspaceChanges } from './changes.ts';
import { settingsColumns } from './settings-columns.ts';
import type { Listed } from './workspace-index.ts';

const columns = (dialect: Dialect) => `w.id, w.name, w.project_id AS "projectId", w.latest_change_at AS "changedAt",
  w.current_run_created_at AS "runAt", w.current_run_status AS "runStatus",
  ${settingsColumns(dialect)}`;

export { readClock };

export const { readRowsAfter, changedSince } = workspaceChanges<Listed>({ columns, joins: '' });

const CHANGES_OF_TEAM = fragment.raw(talliedChanges('team.id'));
const selectVersions = sql<{ id: string }, { bindings: number; workspaces: number }>(
  `SELECT binding_version + ${talliedChanges('organization.id')} AS bindings,
     workspace_count + ${tallied('organization.id')} AS workspaces
   FROM organization WHERE id = :id`,
);

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
