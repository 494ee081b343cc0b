import { isoTime } from '../../../lib/clock.ts';
import { type Relationship, type Resource, toOne } from '../../jsonapi/document.ts';
import { ALL_ACCESS } from '../permissions/grants.ts';
import type { Member } from './member-store.ts';
import type { TeamView } from './teams.ts';

/** Resources that a client can include with teams. */
export const TEAM_INCLUDES = ['users', 'organization_memberships'] as const;
export type TeamInclude = (typeof TEAM_INCLUDES)[number];

/** Converts a team as the caller sees it. */
export function teamResource(team: TeamView): Resource {
  return {
    id: team.id,
    type: 'teams',
    attributes: {
      name: team.name,
      visibility: team.visibility,
      'users-count': team.userCount,
      'is-unified': false,
      'sso-team-id': team.ssoTeamId,
      'allow-member-token-management': team.allowsMemberTokens,
      ...(team.scimEnabled === 1 && scimAttributes(team)),
      'organization-access': team.owners ? ALL_ACCESS : team.access,
      permissions: team.permissions,
    },
    relationships: { organization: toOne('organizations', team.organizationName) },
    links: { self: `/api/v2/teams/${team.id}` },
  };
}

/** Omits the attributes while SCIM provisioning is off: clients treat missing attributes as a server without SCIM. */
function scimAttributes(team: TeamView) {
  return {
    'scim-linked': team.scimGroupName !== null,
    'scim-group-name': team.scimGroupName,
    'scim-sync-paused': team.scimPaused === 1,
    'scim-updated-at': team.scimUpdatedAt === null ? null : isoTime(team.scimUpdatedAt),
  };
}

/** Converts a team with references to its members, if the client includes them. */
export function teamWithMembers(
  team: TeamView,
  asked: ReadonlySet<TeamInclude>,
  members: readonly Member[] = [],
): Resource {
  const resource = teamResource(team);
  const users = members.map(({ accountId }) => accountId);
  const memberships = members.flatMap(({ membershipId }) => membershipId ?? []);
  const relationships = {
    ...resource.relationships,
    ...(asked.has('users') && { users: pointAt('users', users) }),
    ...(asked.has('organization_memberships') && {
      'organization-memberships': pointAt('organization-memberships', memberships),
    }),
  };
  return { ...resource, relationships };
}

function pointAt(type: string, ids: readonly string[]): Relationship {
  return { data: ids.map((id) => ({ type, id })) };
}
