import { Type } from 'typebox';
import { linked, type Resource } from '../../jsonapi/document.ts';
import { nullable, text } from '../../jsonapi/schema.ts';
import { attribute, is, relationship, resourceOf } from '../../resource/index.ts';
import type { Actor } from '../permissions/actor.ts';
import type { User } from './users.ts';

/** Who reads a user: the user itself, a site administrator, or anyone, who may know the email address. */
type Reader = { readonly is: 'self' | 'site-admin' } | { readonly is: 'anyone'; readonly email: string | undefined };

/** There are no passwords and no second factor. */
const TWO_FACTOR = { enabled: false, verified: false };
const PERMISSIONS = {
  'can-create-organizations': true,
  'can-change-email': true,
  'can-change-username': true,
  'can-manage-user-tokens': true,
  'can-view2fa-settings': false,
  'can-manage-hcp-account': false,
};

/** A user. */
export const UserResource = resourceOf<User, [reader: Reader]>()('users', {
  attributes: {
    username: attribute(is.text, nameFor, { create: text(60), update: Type.Optional(nullable(text(60))) }),
    'is-service-account': attribute(is.flag, ({ service }) => service === 1),
    'avatar-url': attribute(is.text, (user, reader) => avatar(nameFor(user, reader))),
    'v2-only': attribute(is.flag, () => true),
    // Present only for the account itself, site administrators, and readers who know it already, as in memberships.
    email: attribute(Type.Optional(is.text), (user, reader) => (reader.is === 'anyone' ? reader.email : user.email), {
      create: text(254),
      update: Type.Optional(nullable(text(254))),
    }),
    'is-admin': attribute(
      Type.Optional(is.flag),
      ({ siteAdmin }, reader) => (reader.is === 'site-admin' ? siteAdmin === 1 : undefined),
      { create: Type.Optional(is.flag) },
    ),
    'is-suspended': attribute(Type.Optional(is.flag), ({ suspendedAt }, reader) =>
      reader.is === 'site-admin' ? suspendedAt !== null : undefined,
    ),
    'is-site-admin': attribute(Type.Optional(is.flag), ({ siteAdmin }, reader) =>
      reader.is === 'self' ? siteAdmin === 1 : undefined,
    ),
    'unconfirmed-email': attribute(Type.Optional(is.textOrNull), ({ unconfirmedEmail }, reader) =>
      reader.is === 'self' ? unconfirmedEmail : undefined,
    ),
    'two-factor': attribute(Type.Optional(is.flags(['enabled', 'verified'])), (_, reader) =>
      reader.is === 'anyone' ? undefined : TWO_FACTOR,
    ),
    permissions: attribute(Type.Optional(is.flags(Object.keys(PERMISSIONS))), (_, reader) =>
      reader.is === 'self' ? PERMISSIONS : undefined,
    ),
  },
  relationships: {
    'authentication-tokens': relationship(is.linkOnly, ({ id }) => linked(`/api/v2/users/${id}/authentication-tokens`)),
  },
  links: ({ id }, reader) => ({ self: `/api/v2/${reader.is === 'site-admin' ? 'admin/' : ''}users/${id}` }),
});

/**
 * Converts a user for an actor. Only the user itself and actors that know the email address from elsewhere see the
 * address.
 * @param email address that the actor knows
 */
export function userResource(user: User, actor: Actor, email?: string): Resource {
  const isSelf = actor.kind === 'user' && actor.id === user.id;
  return UserResource.document(user, isSelf ? { is: 'self' } : { is: 'anyone', email });
}

/** Converts any user for site administrators. */
export function siteUserResource(user: User): Resource {
  return UserResource.document(user, { is: 'site-admin' });
}

/** An invited user has no name before they accept; the name of the account is generated. */
function nameFor({ invited, username }: User, reader: Reader): string {
  return invited === 1 && reader.is !== 'site-admin' ? '' : username;
}

/** Generated picture with the first letter of the name. Names contain no characters that need escaping in XML. */
function avatar(username: string): string {
  const letter = username.charAt(0).toUpperCase();
  const picture =
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8"><rect width="8" height="8" fill="#567"/>' +
    `<text x="4" y="6" font-size="6" text-anchor="middle" fill="#fff">${letter}</text></svg>`;
  return `data:image/svg+xml,${encodeURIComponent(picture)}`;
}
