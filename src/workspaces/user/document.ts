import { linked, type Resource } from '../jsonapi/document.ts';
import type { Actor } from '../permissions/actor.ts';
import type { User } from './users.ts';

/** What everybody sees of a user. The address is for themselves alone. */
export function userResource(user: User, actor: Actor): Resource {
  const self = actor.kind === 'user' && actor.id === user.id;
  return {
    id: user.id,
    type: 'users',
    attributes: {
      username: user.username,
      'is-service-account': false,
      'avatar-url': null,
      ...(self ? { email: user.email, ...OWN } : {}),
    },
    relationships: { 'authentication-tokens': linked(`/api/v2/users/${user.id}/authentication-tokens`) },
    links: { self: `/api/v2/users/${user.id}` },
  };
}

/** What only the account itself is shown; there are no passwords here, hence no second factor. */
const OWN = {
  'unconfirmed-email': null,
  'two-factor': { enabled: false, verified: false },
  permissions: {
    'can-create-organizations': true,
    'can-change-email': false,
    'can-change-username': false,
    'can-manage-user-tokens': true,
  },
};
