import { type Queries, sql } from '../../../storage/index.ts';
import { fragment, select } from '../../query/dynamic.ts';
import { NO_WORKSPACE_ACCESS, type StoredAccess, unite, type WorkspaceAccess, workspaceAccessOf } from './access.ts';
import { type Actor, grantIn } from './actor.ts';
import {
  NO_PROJECT_ACCESS,
  type ProjectAccess,
  projectAccessOf,
  type StoredProjectAccess,
  uniteProjectAccess,
} from './project.ts';

/** Fields of a workspace that decide about access to it. */
export interface Target {
  readonly id: string;
  readonly projectId: string;
}

/** Teams of the user, or the one team that the actor acts for. */
type Teams = { teamId: string; accountId: string };
const OF_ACTOR = `a.team_id IN (SELECT :teamId UNION ALL SELECT team_id FROM team_member WHERE account_id = :accountId)`;

function teamsOf(actor: Actor, organizationId: string): Teams {
  if (actor.kind === 'user') return { teamId: '', accountId: actor.id };
  return { teamId: grantIn(actor, organizationId).teamIds[0] ?? '', accountId: '' };
}

/** Cache key: two actors with the same key have the same grants for single workspaces and projects. */
export function granteeOf(actor: Actor, organizationId: string): string {
  const { teamId, accountId } = teamsOf(actor, organizationId);
  return `${teamId} ${accountId}`;
}

/** Grant of a team on a workspace or on its project. */
export interface SingleGrant extends StoredAccess {
  readonly kind: 'workspace-access' | 'project-access';
  readonly id: string;
  readonly teamId: string;
}

const selectGrants = sql<Target & Teams & Record<string, string>, SingleGrant>(
  `SELECT 'workspace-access' AS kind, a.id, a.team_id AS "teamId", a.access, a.custom
   FROM team_workspace a WHERE a.workspace_id = :id AND ${OF_ACTOR}
   UNION ALL
   SELECT 'project-access', a.id, a.team_id, a.access, a.custom
   FROM team_project a WHERE a.project_id = :projectId AND ${OF_ACTOR}`,
);

/** Selects the actor's grants on the workspace and on its project, in one query. */
export function singleGrants(db: Queries, actor: Actor, organizationId: string, { id, projectId }: Target) {
  return db.all(selectGrants, { id, projectId, ...teamsOf(actor, organizationId) });
}

/** Returns the access that these grants give. */
export async function accessTo(db: Queries, actor: Actor, organizationId: string, target: Target) {
  const grants = await singleGrants(db, actor, organizationId, target);
  return grants.map(workspaceAccessOf).reduce(unite, NO_WORKSPACE_ACCESS);
}

// The last part checks whether a workspace in the project is visible: one is enough.
const selectProjectGrants = sql<{ id: string } & Teams, StoredProjectAccess>(
  `SELECT a.access, a.project_custom AS "projectCustom", a.custom
   FROM team_project a WHERE a.project_id = :id AND ${OF_ACTOR}
   UNION ALL
   SELECT 'shown', '{}', '{}' WHERE EXISTS
     (SELECT 1 FROM team_workspace a WHERE a.project_id = :id AND a.shows = 1 AND ${OF_ACTOR})`,
);

/** Returns the actor's access to the project, from grants on the project or on a workspace in it, in one query. */
export async function projectAccessTo(db: Queries, actor: Actor, organizationId: string, id: string) {
  const grants = await db.all(selectProjectGrants, { id, ...teamsOf(actor, organizationId) });
  return grants.map(projectAccessOf).reduce(uniteProjectAccess, NO_PROJECT_ACCESS);
}

type Of<Grant> = Grant & { readonly target: string };

/** Like `accessTo` for many workspaces, in one query. Returns the access by workspace id. */
export async function accessToEach(
  db: Queries,
  teamIds: readonly string[],
  targets: readonly Target[],
): Promise<ReadonlyMap<string, WorkspaceAccess>> {
  if (teamIds.length === 0 || targets.length === 0) return new Map();
  const teams = fragment.join(teamIds);
  const workspaces = fragment.join(targets.map(({ id }) => id));
  const projects = fragment.join([...new Set(targets.map(({ projectId }) => projectId))]);
  const rows = await select(
    db,
    fragment<Of<StoredAccess>>`
      select workspace_id as target, access, custom from team_workspace
        where workspace_id in (${workspaces}) and team_id in (${teams})
      union all
      select project_id as target, access, custom from team_project
        where project_id in (${projects}) and team_id in (${teams})`,
  );
  const byTarget = Map.groupBy(rows, ({ target }) => target);
  return new Map(
    targets.map(({ id, projectId }) => {
      const grants = [...(byTarget.get(id) ?? []), ...(byTarget.get(projectId) ?? [])];
      return [id, grants.map(workspaceAccessOf).reduce(unite, NO_WORKSPACE_ACCESS)];
    }),
  );
}

/**
 * Like `projectAccessTo` for many projects, in one query. Returns the access by project id; unknown projects have no
 * access.
 */
export async function projectAccessToEach(
  db: Queries,
  teamIds: readonly string[],
  ids: readonly string[],
): Promise<ReadonlyMap<string, ProjectAccess>> {
  if (teamIds.length === 0 || ids.length === 0) return new Map();
  const teams = fragment.join(teamIds);
  const projects = fragment.join(ids);
  const rows = await select(
    db,
    fragment<Of<StoredProjectAccess>>`
      select project_id as target, access, project_custom as "projectCustom", custom from team_project
        where project_id in (${projects}) and team_id in (${teams})
      union all
      select distinct project_id, 'shown', '{}', '{}' from team_workspace
        where project_id in (${projects}) and team_id in (${teams}) and shows = 1`,
  );
  const byTarget = Map.groupBy(rows, ({ target }) => target);
  return new Map(
    [...byTarget].map(([id, grants]) => [
      id,
      grants.map(projectAccessOf).reduce(uniteProjectAccess, NO_PROJECT_ACCESS),
    ]),
  );
}
