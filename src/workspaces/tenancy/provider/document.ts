import { isoTime } from '../../../lib/clock.ts';
import { type Resource, toOne } from '../../jsonapi/document.ts';
import type { Provider } from './store.ts';

/**
 * Ours alone, no client of the original knows it.
 * @param origin of this server, as whoever asks knows it: `https://lock.example`
 */
export function providerResource(provider: Provider, origin: string): Resource {
  const { settings, organizationId, organizationName, clientSecret, createdAt, updatedAt } = provider;
  const { name, issuer, clientId, scopes, claims, create, ssoTeamIds, teams, authorities } = settings;
  const place = `${origin}/app/~session/oidc`;
  return {
    id: organizationId,
    type: 'sign-in-providers',
    attributes: {
      ...{ name, issuer, scopes, claims, create, teams },
      'client-id': clientId,
      'has-client-secret': clientSecret !== null,
      'sso-team-ids': ssoTeamIds,
      'certificate-authorities': authorities === '' ? null : authorities,
      // What the provider has to be told.
      'callback-url': `${place}/organizations/${organizationId}/callback`,
      'logout-url': `${place}/logout/${organizationId}`,
      'created-at': isoTime(createdAt),
      'updated-at': isoTime(updatedAt),
    },
    relationships: { organization: toOne('organizations', organizationName) },
    links: { self: `/api/v2/organizations/${organizationName}/sign-in-provider` },
  };
}
