import { type Resource, toOne } from '../jsonapi/document.ts';
import { ACCESS_FLAGS } from '../permissions/grants.ts';
import type { TeamView } from './teams.ts';

/** The owners have every flag, whatever is stored. */
const ALL_ACCESS = Object.fromEntries(ACCESS_FLAGS.map((name) => [name, true]));

/** A team as the caller sees it. */
export function teamResource(team: TeamView): Resource {
  return {
    id: team.id,
    type: 'teams',
    attributes: {
      name: team.name,
      visibility: team.visibility,
      'users-count': team.userCount,
      'sso-team-id': null,
      'allow-member-token-management': false,
      'organization-access': team.owners ? ALL_ACCESS : team.access,
      permissions: team.permissions,
    },
    relationships: { organization: toOne('organizations', team.organizationName) },
    links: { self: `/api/v2/teams/${team.id}` },
  };
}
