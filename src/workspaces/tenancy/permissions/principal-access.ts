import { type Queries, sql } from '../../../storage/index.ts';
import type { Identifier } from '../../jsonapi/document.ts';
import { NO_WORKSPACE_ACCESS, unite, type WorkspaceAccess } from './access.ts';
import { accessToEach, type Target } from './granted-access.ts';
import { grantsOf, type TeamGrantRow, teamGrant } from './grants.ts';
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

/** Somebody whom something was done for, and what they may do with a workspace. */
export interface PrincipalAccess {
  /** For people: `user ada`. */
  readonly name: string;
  readonly access: WorkspaceAccess;
}

/**
 * Reads what a user or a team may do with a workspace in this unit of work, by whatever they came in then. It is nothing for one who is
 * gone, suspended, or of no team of the organization any more.
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
