import { once, type Resource } from '../../jsonapi/document.ts';
import { parseInclude } from '../../jsonapi/include.ts';
import { piecemeal } from '../../jsonapi/included-size.ts';
import type { Actor } from '../permissions/actor.ts';
import { userResource } from '../user/resource.ts';
import type { Users } from '../user/users.ts';
import type { Member } from './member-store.ts';
import type { TeamMembers } from './members.ts';
import { TeamResource } from './resource.ts';
import type { TeamView } from './teams.ts';

/** Resources that a client can include with teams. */
const TEAM_INCLUDES = ['users', 'organization_memberships'] as const;
type TeamInclude = (typeof TEAM_INCLUDES)[number];

/** Teams whose members are read at a time: a team can have tens of thousands of members. */
const AT_A_TIME = 5;

/** Sources of included resources. */
export interface TeamIncludeSources {
  readonly members: TeamMembers;
  readonly users: Users;
  /** Returns the memberships of an organization with these ids that the actor may see. */
  readonly memberships: (actor: Actor, organizationId: string, ids: readonly string[]) => Promise<readonly Resource[]>;
}

/**
 * Converts teams that the caller has found for the actor, with the included resources.
 * @throws 400
 */
export async function teamsWithIncludes(
  { members, users, memberships }: TeamIncludeSources,
  actor: Actor,
  views: readonly TeamView[],
  include: string | undefined,
): Promise<{ readonly data: Resource[]; readonly included: Resource[] }> {
  const asked = parseInclude(include, TEAM_INCLUDES);
  if (asked.size === 0) return { data: views.map((team) => TeamResource.document(team)), included: [] };
  const known = new Set<string>();
  const read = async (some: readonly TeamView[]) => {
    const found = await members.ofTeams(some.map(({ id }) => id));
    const data = some.map((team) => TeamResource.document(team, shownMembers(asked, found.get(team.id))));
    const ids = new Set([...found.values()].flat().map(({ accountId }) => accountId));
    const added = asked.has('users') ? [...ids].filter((id) => !known.has(id)) : [];
    for (const id of added) known.add(id);
    const included: Resource[] = (added.length > 0 ? await users.named(added) : []).map((user) =>
      userResource(user, actor),
    );
    for (const [organizationId, ids] of asked.has('organization_memberships') ? membershipsOf(some, found) : []) {
      included.push(...(await memberships(actor, organizationId, ids)));
    }
    return { data, included };
  };
  const pieces = await piecemeal(views, AT_A_TIME, read, ({ data, included }) => [...data, ...included]);
  return { data: pieces.flatMap(({ data }) => data), included: once(pieces.flatMap(({ included }) => included)) };
}

function shownMembers(asked: ReadonlySet<TeamInclude>, members: readonly Member[] = []) {
  return {
    users: asked.has('users') ? members.map(({ accountId }) => accountId) : undefined,
    memberships: asked.has('organization_memberships')
      ? members.flatMap(({ membershipId }) => membershipId ?? [])
      : undefined,
  };
}

/** Returns the ids of the memberships of the teams' members, by organization. */
function membershipsOf(views: readonly TeamView[], found: ReadonlyMap<string, readonly Member[]>) {
  const byOrganization = Map.groupBy(views, ({ organizationId }) => organizationId);
  return [...byOrganization].map(([organizationId, teams]): [string, string[]] => {
    const members = teams.flatMap(({ id }) => found.get(id) ?? []);
    return [organizationId, [...new Set(members.flatMap(({ membershipId }) => membershipId ?? []))]];
  });
}
