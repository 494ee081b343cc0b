import { isoTime } from '../../../lib/clock.ts';
import { type Resource, toOne } from '../../jsonapi/document.ts';
import type { MembershipView } from './memberships.ts';

/** Converts a membership for the member, and for actors that manage members. */
export function membershipResource(membership: MembershipView): Resource {
  const { id, status, email, accountId, teams } = membership;
  return {
    id,
    type: 'organization-memberships',
    attributes: { status, email, 'created-at': isoTime(membership.createdAt) },
    relationships: {
      organization: toOne('organizations', membership.organizationName),
      user: toOne('users', accountId),
      teams: { data: teams.map((team) => ({ type: 'teams', id: team.id })) },
    },
    links: { self: `/api/v2/organization-memberships/${id}` },
  };
}
