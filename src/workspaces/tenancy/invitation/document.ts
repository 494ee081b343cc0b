import { isoTime } from '../../../lib/clock.ts';
import type { Resource } from '../../jsonapi/document.ts';
import type { NewLink } from './links.ts';

/** Returns the URL of a link. The secret is in the fragment, which browsers do not send to servers. */
export const invitationUrl = (origin: string, secret: string): string => `${origin}/app/~invitation#${secret}`;

export function linkResource(membershipId: string, { expiresAt, isMailed, secret }: NewLink, origin: string): Resource {
  return {
    id: membershipId,
    type: 'invitation-links',
    attributes: { url: invitationUrl(origin, secret), 'expires-at': isoTime(expiresAt), 'is-mailed': isMailed },
  };
}
