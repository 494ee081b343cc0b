import { type Queries, sql } from '../../../storage/index.ts';
import type { Identifier } from '../../jsonapi/document.ts';
import { NO_WORKSPACE_ACCESS, unite, type WorkspaceAccess } from './access.ts';
import { accessToEach, type Target } from './granted-access.ts';
import { type Grant, grantsOf, type TeamGrantRow, teamGrant } from './grants.ts';
import { organizationWideAccess } from './workspace.ts';

interface Named {
  readonly name: string;
}

const TEAM = 't.id AS "teamId", t.organization_id AS "organizationId", t.owners, t.access';
const OF_ORGANIZATION = 't.organization_id = :organizationId';

const selectTeam = sql<{ id: string; organizationId: string }, TeamGrantRow & Named>(
  `SELECT ${TEAM}, t.name FROM team t WHERE t.id = :id AND ${OF_ORGANIZATION}`,
);
const selectTeamsOfUser = sql<{ id: string; organizationId: string }, TeamGrantRow>(
  `SELECT ${TEAM} FROM account a JOIN team_member m ON m.account_id = a.id JOIN team t ON t.id = m.team_id
   WHERE a.id = :id AND a.suspended_at IS NULL AND ${OF_ORGANIZATION}
     AND (a.organization_id IS NULL OR a.organization_id = t.organization_id)`,
);
const selectUser = sql<{ id: string }, Named>('SELECT username AS name FROM account WHERE id = :id');

/** User or team that an action was done for, with their access to a workspace. */
export interface PrincipalAccess {
  /** Name to display, for example `user ada`. */
  readonly name: string;
  readonly access: WorkspaceAccess;
}

/**
 * Reads the current grant of a user in an organization, regardless of the credential they used. Returns undefined for a
 * user who is deleted, suspended or in no team of the organization.
 */
export async function userGrant(db: Queries, id: string, organizationId: string): Promise<Grant | undefined> {
  const teams = await db.all(selectTeamsOfUser, { id, organizationId });
  return grantsOf(teams.map(teamGrant)).get(organizationId);
}

/**
 * Reads the current access of a user or a team to a workspace, regardless of the credential they used. A deleted team
 * has no access. A user has no access if they are deleted, suspended or in no team of the organization.
 */
export async function principalAccess(
  db: Queries,
  { type, id }: Identifier,
  organizationId: string,
  target: Target,
): Promise<PrincipalAccess> {
  const isTeam = type === 'teams';
  const teams = await db.all(isTeam ? selectTeam : selectTeamsOfUser, { id, organizationId });
  const named = isTeam ? await db.one(selectTeam, { id, organizationId }) : await db.one(selectUser, { id });
  const name = `${isTeam ? 'team' : 'user'} ${named?.name ?? id}`;
  const grant = grantsOf(teams.map(teamGrant)).get(organizationId);
  if (grant === undefined) return { name, access: NO_WORKSPACE_ACCESS };
  const single = await accessToEach(db, grant.teamIds, [target]);
  return { name, access: unite(organizationWideAccess(grant), single.get(target.id) ?? NO_WORKSPACE_ACCESS) };
}
