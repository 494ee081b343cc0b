import type { Resource } from '../../jsonapi/document.ts';
import { parseInclude } from '../../jsonapi/include.ts';
import { piecemeal } from '../../jsonapi/included-size.ts';
import type { Actor } from '../permissions/actor.ts';
import { userResource } from '../user/document.ts';
import type { Users } from '../user/users.ts';
import { TEAM_INCLUDES, type TeamInclude, teamResource, teamWithMembers } from './document.ts';
import type { TeamMembers } from './members.ts';
import type { TeamView } from './teams.ts';

/** Teams whose members are read at a time: one can have tens of thousands. */
const AT_A_TIME = 5;

/** Whom to ask for what is included. */
export interface TeamIncludeSources {
  readonly members: TeamMembers;
  readonly users: Users;
}

/** The teams, which the caller has found for the actor, with what a client wants sent along. @throws 400 */
export async function teamsWithIncludes(
  { members, users }: TeamIncludeSources,
  actor: Actor,
  views: readonly TeamView[],
  include: string | undefined,
): Promise<{ readonly data: Resource[]; readonly included: Resource[] }> {
  const asked = parseInclude<TeamInclude>(include, TEAM_INCLUDES);
  if (asked.size === 0) return { data: views.map(teamResource), included: [] };
  const known = new Set<string>();
  const read = async (some: readonly TeamView[]) => {
    const found = await members.ofTeams(some.map(({ id }) => id));
    const data = some.map((team) => teamWithMembers(team, asked, found.get(team.id)));
    const ids = new Set([...found.values()].flat().map(({ accountId }) => accountId));
    const added = asked.has('users') ? [...ids].filter((id) => !known.has(id)) : [];
    for (const id of added) known.add(id);
    const included = added.length > 0 ? (await users.named(added)).map((user) => userResource(user, actor)) : [];
    return { data, included };
  };
  const pieces = await piecemeal(views, AT_A_TIME, read, ({ data, included }) => [...data, ...included]);
  return { data: pieces.flatMap(({ data }) => data), included: pieces.flatMap(({ included }) => included) };
}
