import type { AppError } from '../../../lib/errors.ts';
import { unprocessable } from '../../jsonapi/errors.ts';
import { type Fragment, fragment, isOneOf } from '../../query/dynamic.ts';
import { type Actor, type Grant, seesSecretTeams, type Teams, type TeamView } from '../../tenancy/index.ts';

const POINTER = '/data/relationships/team';

/** Finds the team that gets access: one of the organization that the actor can see. @throws 422 */
export async function requireTeam(teams: Teams, actor: Actor, organizationId: string, id: string): Promise<TeamView> {
  const [team] = await teams.readable(actor, [id]);
  if (team?.organizationId !== organizationId) throw unprocessable([{ detail: 'Team not found', pointer: POINTER }]);
  return team;
}

/** Error 422 for a second grant of one team for the same workspace or project. */
export function alreadyGranted(): AppError {
  return unprocessable([{ detail: 'Team has already been taken', pointer: POINTER }]);
}

/** Condition for a list of grants `a` with their teams `t`: the actor can see the team. */
export function seenTeams(grant: Grant): Fragment {
  if (seesSecretTeams(grant)) return fragment`1 = 1`;
  return fragment`(t.visibility = 'organization' or ${isOneOf('a.team_id', grant.teamIds)})`;
}

/** Condition for a list of grants `a`: the grant is that of the requested team, if any. */
export function teamConditions(teamId: string | undefined): Fragment[] {
  return teamId === undefined ? [] : [fragment`a.team_id = ${teamId}`];
}

/** Returns whether the actor can see the team of one grant. */
export function seesTeam(grant: Grant, team: { readonly teamId: string; readonly visibility: string }): boolean {
  return team.visibility === 'organization' || grant.teamIds.includes(team.teamId) || seesSecretTeams(grant);
}
