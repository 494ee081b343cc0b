import type { AppError } from '../../../lib/errors.ts';
import { unprocessable } from '../../jsonapi/errors.ts';
import { type Fragment, fragment, isOneOf } from '../../query/dynamic.ts';
import { type Actor, type Grant, seesSecretTeams, type Teams, type TeamView } from '../../tenancy/index.ts';

const POINTER = '/data/relationships/team';

/** The team that is to get access: one of the organization that the actor sees. @throws 422 */
export async function requireTeam(teams: Teams, actor: Actor, organizationId: string, id: string): Promise<TeamView> {
  const [team] = await teams.readable(actor, [id]);
  if (team?.organizationId !== organizationId) throw unprocessable([{ detail: 'Team not found', pointer: POINTER }]);
  return team;
}

/** The 422 for a second grant of one team for one thing. */
export function alreadyGranted(): AppError {
  return unprocessable([{ detail: 'Team has already been taken', pointer: POINTER }]);
}

/** In a list of grants `a` with their teams `t`: those of teams that are seen. */
export function seenTeams(grant: Grant): Fragment {
  if (seesSecretTeams(grant)) return fragment`1 = 1`;
  return fragment`(t.visibility = 'organization' or ${isOneOf('a.team_id', grant.teamIds)})`;
}

/** In a list of grants `a`: those of one team, where one is asked for. */
export function teamConditions(teamId: string | undefined): Fragment[] {
  return teamId === undefined ? [] : [fragment`a.team_id = ${teamId}`];
}

/** The same of one. */
export function seesTeam(grant: Grant, team: { readonly teamId: string; readonly visibility: string }): boolean {
  return team.visibility === 'organization' || grant.teamIds.includes(team.teamId) || seesSecretTeams(grant);
}
