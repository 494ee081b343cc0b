import type { Queries } from '../../../storage/index.ts';
import { fragment, isOneOf, select } from '../../query/dynamic.ts';
import { NO_WORKSPACE_ACCESS, type StoredAccess, unite, type WorkspaceAccess, workspaceAccessOf } from './access.ts';
import type { Target } from './granted-access.ts';
import { grantsOf, type TeamGrantRow, teamGrant } from './grants.ts';
import { organizationWideAccess } from './workspace.ts';

/** User with their current teams in one organization. */
export interface PersonAccess {
  readonly teamIds: readonly string[];
  /** Returns the current access of the user to one of the workspaces that were asked for. */
  accessTo(target: Target): WorkspaceAccess;
}

type TeamRow = TeamGrantRow & { readonly accountId: string };
type GrantRow = StoredAccess & { readonly target: string; readonly teamId: string };

/**
 * Reads the current teams of users, and their access to workspaces of one organization, in at most two queries.
 * Returns them by user id. Users who are deleted, suspended or in no team of the organization are missing.
 */
export async function peopleAccess(
  db: Queries,
  userIds: readonly string[],
  organizationId: string,
  targets: readonly Target[],
): Promise<ReadonlyMap<string, PersonAccess>> {
  if (userIds.length === 0) return new Map();
  const teams = await select(
    db,
    fragment<TeamRow>`
      select a.id as "accountId", t.id as "teamId", t.organization_id as "organizationId", t.owners, t.access
      from account a join team_member m on m.account_id = a.id join team t on t.id = m.team_id
      where ${isOneOf('a.id', userIds)} and a.suspended_at is null and t.organization_id = ${organizationId}
        and (a.organization_id is null or a.organization_id = t.organization_id)`,
  );
  const single = Map.groupBy(await grantsOn(db, teams, targets), ({ target }) => target);
  return new Map(
    [...Map.groupBy(teams, ({ accountId }) => accountId)].map(([id, rows]) => [
      id,
      personOf(organizationId, rows, single),
    ]),
  );
}

async function grantsOn(db: Queries, rows: readonly TeamRow[], targets: readonly Target[]): Promise<GrantRow[]> {
  if (rows.length === 0 || targets.length === 0) return [];
  const teams = isOneOf('team_id', [...new Set(rows.map(({ teamId }) => teamId))]);
  const projects = [...new Set(targets.map(({ projectId }) => projectId))];
  return select(
    db,
    fragment<GrantRow>`
      select workspace_id as target, team_id as "teamId", access, custom from team_workspace
        where ${isOneOf(
          'workspace_id',
          targets.map(({ id }) => id),
        )} and ${teams}
      union all
      select project_id, team_id, access, custom from team_project
        where ${isOneOf('project_id', projects)} and ${teams}`,
  );
}

function personOf(
  organizationId: string,
  rows: readonly TeamRow[],
  single: ReadonlyMap<string, readonly GrantRow[]>,
): PersonAccess {
  const grant = grantsOf(rows.map(teamGrant)).get(organizationId);
  const teamIds = grant?.teamIds ?? [];
  return {
    teamIds,
    accessTo: ({ id, projectId }) =>
      [...(single.get(id) ?? []), ...(single.get(projectId) ?? [])]
        .filter(({ teamId }) => teamIds.includes(teamId))
        .map(workspaceAccessOf)
        .reduce(unite, grant === undefined ? NO_WORKSPACE_ACCESS : organizationWideAccess(grant)),
  };
}
