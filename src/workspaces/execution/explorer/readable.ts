import { nextTurn } from '../../../lib/slices.ts';
import { type Queries, sql } from '../../../storage/index.ts';
import {
  type Grant,
  NO_WORKSPACE_ACCESS,
  organizationWideAccess,
  unite,
  type WorkspaceAccess,
  workspaceAccessOf,
  workspacePermissions,
} from '../../tenancy/index.ts';

/** Parts of a workspace that an actor may read. Nothing is readable of a workspace that is not visible. */
export interface Readable {
  readonly isVisible: boolean;
  readonly runs: boolean;
  readonly states: boolean;
}

type Target = { readonly id: string; readonly projectId: string };
/** Rows come in the order of `name`. */
type GrantRow = { readonly target: string; readonly name: string; readonly access: string; readonly custom: string };

/** Grants to read at a time on the main thread. */
const STEP = 500;

const selectWorkspaces = sql<{ teamId: string; after: string; limit: number }, GrantRow>(
  `SELECT workspace_id AS target, workspace_name AS name, access, custom FROM team_workspace
   WHERE team_id = :teamId AND shows = 1 AND workspace_name > :after ORDER BY workspace_name LIMIT :limit`,
);
const selectProjects = sql<{ teamId: string; after: string; limit: number }, GrantRow>(
  `SELECT project_id AS target, project_id AS name, access, custom FROM team_project
   WHERE team_id = :teamId AND shows = 1 AND project_id > :after ORDER BY project_id LIMIT :limit`,
);

/** The policies do not affect permissions to read. */
const ANY_POLICY = { allowsDestroyPlan: false, allowsForceDelete: false };

function readableBy(access: WorkspaceAccess): Readable {
  const permissions = workspacePermissions(access, ANY_POLICY);
  return {
    isVisible: permissions['can-read-settings'],
    runs: permissions['can-read-run'],
    states: permissions['can-read-state-versions'],
  };
}

/** Returns what the grant allows to read of each workspace. It reads the grants of teams only if they can add something. */
export async function readableWith(db: Queries, grant: Grant): Promise<(target: Target) => Readable> {
  const wide = organizationWideAccess(grant);
  const everywhere = readableBy(wide);
  if (everywhere.isVisible && everywhere.runs && everywhere.states) return () => everywhere;
  const workspaces = await grantsOf(db, selectWorkspaces, grant.teamIds);
  const projects = await grantsOf(db, selectProjects, grant.teamIds);
  const ofProject = new Map([...projects].map(([id, access]) => [id, readableBy(unite(wide, access))]));
  return ({ id, projectId }) => {
    const own = workspaces.get(id);
    if (own === undefined) return ofProject.get(projectId) ?? everywhere;
    return readableBy(unite(wide, unite(own, projects.get(projectId) ?? NO_WORKSPACE_ACCESS)));
  };
}

async function grantsOf(
  db: Queries,
  statement: typeof selectWorkspaces,
  teamIds: readonly string[],
): Promise<Map<string, WorkspaceAccess>> {
  const found = new Map<string, WorkspaceAccess>();
  for (const teamId of teamIds) {
    for (let after: string | undefined = ''; after !== undefined; ) {
      await nextTurn();
      const rows: GrantRow[] = await db.all(statement, { teamId, after, limit: STEP });
      for (const { target, access: level, custom } of rows) {
        const access = workspaceAccessOf({ access: level, custom });
        const known = found.get(target);
        found.set(target, known === undefined ? access : unite(known, access));
      }
      after = rows.length === STEP ? rows.at(-1)?.name : undefined;
    }
  }
  return found;
}
