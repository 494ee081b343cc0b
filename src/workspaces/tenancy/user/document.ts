import { linked, type Resource } from '../../jsonapi/document.ts';
import type { Actor } from '../permissions/actor.ts';
import type { User } from './users.ts';

/**
 * Public attributes of a user. An invited user has no name before they accept. Only the user and those who know the
 * email address from elsewhere see it.
 */
export function userResource(user: User, actor: Actor, email?: string): Resource {
  const self = actor.kind === 'user' && actor.id === user.id;
  const username = user.invited === 1 ? '' : user.username;
  return {
    id: user.id,
    type: 'users',
    attributes: {
      username,
      'is-service-account': user.service === 1,
      'avatar-url': avatar(username),
      'v2-only': true,
      ...(email === undefined ? {} : { email }),
      ...(self
        ? {
            email: user.email,
            'unconfirmed-email': user.unconfirmedEmail,
            'is-site-admin': user.siteAdmin === 1,
            ...OWN,
          }
        : {}),
    },
    relationships: { 'authentication-tokens': linked(`/api/v2/users/${user.id}/authentication-tokens`) },
    links: { self: `/api/v2/users/${user.id}` },
  };
}

/** Attributes of any user for site administrators. */
export function siteUserResource(user: User): Resource {
  return {
    id: user.id,
    type: 'users',
    attributes: {
      username: user.username,
      email: user.email,
      'is-service-account': false,
      'is-admin': user.siteAdmin === 1,
      'is-suspended': user.suspendedAt !== null,
      'avatar-url': avatar(user.username),
      'v2-only': true,
      'two-factor': OWN['two-factor'],
    },
    relationships: { 'authentication-tokens': linked(`/api/v2/users/${user.id}/authentication-tokens`) },
    links: { self: `/api/v2/admin/users/${user.id}` },
  };
}

/** Generated picture with the first letter of the name. Names contain no characters that need escaping in XML. */
function avatar(username: string): string {
  const letter = username.charAt(0).toUpperCase();
  const picture =
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8"><rect width="8" height="8" fill="#567"/>' +
    `<text x="4" y="6" font-size="6" text-anchor="middle" fill="#fff">${letter}</text></svg>`;
  return `data:image/svg+xml,${encodeURIComponent(picture)}`;
}

/** Attributes that only the account itself sees. There are no passwords and no second factor. */
const OWN = {
  'two-factor': { enabled: false, verified: false },
  permissions: {
    'can-create-organizations': true,
    'can-change-email': true,
    'can-change-username': true,
    'can-manage-user-tokens': true,
    'can-view2fa-settings': false,
    'can-manage-hcp-account': false,
  },
};
