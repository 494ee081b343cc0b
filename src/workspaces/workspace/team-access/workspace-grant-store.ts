import { type Queries, sql } from '../../../storage/index.ts';
import type { Page } from '../../jsonapi/pagination.ts';
import { type Fragment, fragment, selectSlice } from '../../query/dynamic.ts';
import type { StoredAccess } from '../../tenancy/index.ts';

/** A team's access to a workspace. */
export interface WorkspaceGrant extends StoredAccess {
  readonly id: string;
  readonly teamId: string;
  readonly workspaceId: string;
  /** Name of the team. */
  readonly visibility: string;
}

const COLUMNS = `a.id, a.team_id AS "teamId", a.workspace_id AS "workspaceId", a.access, a.custom, t.visibility`;
const FROM = 'team_workspace a JOIN team t ON t.id = a.team_id';

type Stored = Pick<StoredAccess, 'access' | 'custom'> & { readonly shows: number; readonly runs: string };

const selectById = sql<{ id: string }, WorkspaceGrant>(`SELECT ${COLUMNS} FROM ${FROM} WHERE a.id = :id`);
const insertGrant = sql<{ id: string; teamId: string; workspaceId: string; now: number } & Stored, { id: string }>(
  `INSERT INTO team_workspace
     (id, team_id, workspace_id, workspace_name, project_id, access, custom, shows, runs, created_at)
   SELECT :id, :teamId, w.id, w.name, w.project_id, :access, :custom, :shows, :runs, :now
   FROM workspace w WHERE w.id = :workspaceId
   ON CONFLICT (workspace_id, team_id) DO NOTHING RETURNING id`,
);
// Locks the row, because an update depends on the current values.
const claimGrant = sql<{ id: string }, StoredAccess>(
  'UPDATE team_workspace SET shows = shows WHERE id = :id RETURNING access, custom',
);
const updateGrant = sql<{ id: string } & Stored>(
  'UPDATE team_workspace SET access = :access, custom = :custom, shows = :shows, runs = :runs WHERE id = :id',
);
const removeGrant = sql<{ id: string }>('DELETE FROM team_workspace WHERE id = :id');

/** Returns one grant, or undefined. */
export function findWorkspaceGrant(db: Queries, id: string) {
  return db.one(selectById, { id });
}

/** Returns the grants of a workspace that match `seen`, in the order of creation. */
export function listWorkspaceGrants(db: Queries, workspaceId: string, seen: readonly Fragment[], page: Page) {
  const where = [fragment`a.workspace_id = ${workspaceId}`, ...seen];
  return selectSlice<WorkspaceGrant>(db, { columns: COLUMNS, from: FROM, where, orderBy: 'a.id' }, page);
}

/** Inserts a grant. Returns undefined when the team has access already, or the workspace is gone. */
export function insertWorkspaceGrant(
  db: Queries,
  grant: { id: string; teamId: string; workspaceId: string; now: number } & Stored,
) {
  return db.one(insertGrant, grant);
}

/** Locks the row for the rest of the transaction. Returns undefined when it is gone. */
export function claimWorkspaceGrant(db: Queries, id: string) {
  return db.one(claimGrant, { id });
}

/** Updates a grant after `claimWorkspaceGrant`. */
export function updateWorkspaceGrant(db: Queries, id: string, { access, custom, shows, runs }: Stored) {
  return db.run(updateGrant, { id, access, custom, shows, runs });
}

export function removeWorkspaceGrant(db: Queries, id: string) {
  return db.run(removeGrant, { id });
}
