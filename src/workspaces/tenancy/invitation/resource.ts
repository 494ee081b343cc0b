import { attribute, is, resourceOf, time } from '../../resource/index.ts';
import type { NewLink } from './links.ts';

/** Returns the URL of a link. The secret is in the fragment, which browsers do not send to servers. */
export const invitationUrl = (origin: string, secret: string): string => `${origin}/app/~invitation#${secret}`;

interface Place {
  readonly membershipId: string;
  /** URL of this server. */
  readonly origin: string;
}

/** A link of an invitation, with its secret. HCP Terraform does not have it. */
export const InvitationLinkResource = resourceOf<NewLink, [place: Place]>()('invitation-links', {
  attributes: {
    url: attribute(is.text, ({ secret }, { origin }) => invitationUrl(origin, secret)),
    'expires-at': time('expiresAt'),
    'is-mailed': attribute(is.flag, 'isMailed'),
  },
  id: (_, { membershipId }) => membershipId,
});
