import { Type } from 'typebox';
import { text } from '../../jsonapi/schema.ts';
import { attribute, is, resourceOf, time, toMany, toOne } from '../../resource/index.ts';
import type { MembershipView } from './memberships.ts';
import { STATUSES } from './store.ts';

/** A membership, for the member and for actors that manage members. */
export const MembershipResource = resourceOf<MembershipView>()('organization-memberships', {
  attributes: {
    status: attribute(Type.Enum([...STATUSES]), 'status'),
    email: attribute(is.text, 'email', { create: text(254) }),
    'created-at': time('createdAt'),
  },
  relationships: {
    organization: toOne('organizations', 'organizationName'),
    user: toOne('users', 'accountId'),
    teams: toMany('teams', ({ teams }) => teams.map(({ id }) => id)),
  },
  links: ({ id }) => ({ self: `/api/v2/organization-memberships/${id}` }),
});
