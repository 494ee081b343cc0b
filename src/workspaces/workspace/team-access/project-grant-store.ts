import { type Queries, sql } from '../../../storage/index.ts';
import type { Page } from '../../jsonapi/pagination.ts';
import { type Fragment, fragment, selectSlice } from '../../query/dynamic.ts';
import type { StoredProjectAccess } from '../../tenancy/index.ts';

/** A team's access to a project and its workspaces. */
export interface ProjectGrant extends StoredProjectAccess {
  readonly id: string;
  readonly teamId: string;
  readonly projectId: string;
  /** Name of the team. */
  readonly visibility: string;
}

const STORED = 'a.access, a.project_custom AS "projectCustom", a.custom';
const COLUMNS = `a.id, a.team_id AS "teamId", a.project_id AS "projectId", ${STORED}, t.visibility`;
const FROM = 'team_project a JOIN team t ON t.id = a.team_id';

type Stored = Pick<StoredProjectAccess, 'access' | 'custom' | 'projectCustom'> & {
  readonly shows: number;
  readonly runs: string;
  readonly projectSettings: string;
  readonly variableSets: string;
  readonly creates: number;
};

const selectById = sql<{ id: string }, ProjectGrant>(`SELECT ${COLUMNS} FROM ${FROM} WHERE a.id = :id`);
const insertGrant = sql<{ id: string; teamId: string; projectId: string; now: number } & Stored, { id: string }>(
  `INSERT INTO team_project (id, team_id, project_id, access, project_custom, custom, shows, runs, project_settings,
     variable_sets, creates, created_at)
   VALUES (:id, :teamId, :projectId, :access, :projectCustom, :custom, :shows, :runs, :projectSettings,
     :variableSets, :creates, :now)
   ON CONFLICT (project_id, team_id) DO NOTHING RETURNING id`,
);
// Locks the row, because an update depends on the current values.
const claimGrant = sql<{ id: string }, StoredProjectAccess>(
  `UPDATE team_project SET shows = shows WHERE id = :id
   RETURNING access, project_custom AS "projectCustom", custom`,
);
const updateGrant = sql<{ id: string } & Stored>(
  `UPDATE team_project SET access = :access, project_custom = :projectCustom, custom = :custom, shows = :shows,
     runs = :runs, project_settings = :projectSettings, variable_sets = :variableSets, creates = :creates
   WHERE id = :id`,
);
const removeGrant = sql<{ id: string }>('DELETE FROM team_project WHERE id = :id');

/** Returns one grant, or undefined. */
export function findProjectGrant(db: Queries, id: string) {
  return db.one(selectById, { id });
}

/** Returns the grants of a project that match `seen`, in the order of creation. */
export function listProjectGrants(db: Queries, projectId: string, seen: readonly Fragment[], page: Page) {
  const where = [fragment`a.project_id = ${projectId}`, ...seen];
  return selectSlice<ProjectGrant>(db, { columns: COLUMNS, from: FROM, where, orderBy: 'a.id' }, page);
}

/** Inserts a grant. Returns undefined when the team has access already. */
export function insertProjectGrant(
  db: Queries,
  grant: { id: string; teamId: string; projectId: string; now: number } & Stored,
) {
  return db.one(insertGrant, grant);
}

/** Locks the row for the rest of the transaction. Returns undefined when it is gone. */
export function claimProjectGrant(db: Queries, id: string) {
  return db.one(claimGrant, { id });
}

/** Updates a grant after `claimProjectGrant`. */
export function updateProjectGrant(db: Queries, id: string, stored: Stored) {
  const { access, custom, projectCustom, shows, runs, projectSettings, variableSets, creates } = stored;
  const columns = { access, custom, projectCustom, shows, runs, projectSettings, variableSets, creates };
  return db.run(updateGrant, { id, ...columns });
}

export function removeProjectGrant(db: Queries, id: string) {
  return db.run(removeGrant, { id });
}
