import { type Queries, sql } from '../../../storage/index.ts';
import { workspaceAccessOf } from '../../tenancy/index.ts';

/** A team's access to a workspace, in the form that is stored while the workspace is deleted. */
export interface KeptGrant {
  readonly id: string;
  readonly teamId: string;
  readonly access: string;
  readonly custom: string;
  readonly shows: number;
  readonly createdAt: number;
}

const removeGrants = sql<{ workspaceId: string }, KeptGrant>(
  `DELETE FROM team_workspace WHERE workspace_id = :workspaceId
   RETURNING id, team_id AS "teamId", access, custom, shows, created_at AS "createdAt"`,
);
const restoreGrant = sql<{
  workspaceId: string;
  id: string;
  teamId: string;
  access: string;
  custom: string;
  shows: number;
  runs: string;
  createdAt: number;
}>(
  `INSERT INTO team_workspace
     (id, team_id, workspace_id, workspace_name, project_id, access, custom, shows, runs, created_at)
   SELECT :id, t.id, w.id, w.name, w.project_id, :access, :custom, :shows, :runs, :createdAt
   FROM workspace w JOIN team t ON t.id = :teamId AND t.organization_id = w.organization_id
   WHERE w.id = :workspaceId
   ON CONFLICT DO NOTHING`,
);

/** Removes all grants of a workspace and returns them. Lists and counts must not contain deleted workspaces. */
export function takeGrants(db: Queries, workspaceId: string) {
  return db.all(removeGrants, { workspaceId });
}

/** Restores a grant if its team still exists. */
export async function restoreGrants(db: Queries, workspaceId: string, grants: readonly KeptGrant[]): Promise<void> {
  for (const grant of grants) {
    const { runs } = workspaceAccessOf(grant);
    await db.run(restoreGrant, { workspaceId, ...grant, runs });
  }
}
