import { isoTime } from '../../../lib/clock.ts';
import { type Resource, toOne } from '../../jsonapi/document.ts';
import type { CheckedProvider } from './check.ts';
import type { Provider } from './store.ts';

const PLACE = '/app/~session/oidc';

/** Where the provider of an organization sends people back to. @param origin as below */
export const callbackOf = (origin: string, organizationId: string): string =>
  `${origin}${PLACE}/organizations/${organizationId}/callback`;

/**
 * Ours alone, no client of the original knows it.
 * @param origin of this server, as whoever asks knows it: `https://lock.example`
 */
export function providerResource(provider: Provider, origin: string): Resource {
  const { settings, organizationId, organizationName, clientSecret, createdAt, updatedAt } = provider;
  const { name, issuer, clientId, scopes, claims, create, ssoTeamIds, teams, authorities } = settings;
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
      'callback-url': callbackOf(origin, organizationId),
      'logout-url': `${origin}${PLACE}/logout/${organizationId}`,
      'created-at': isoTime(createdAt),
      'updated-at': isoTime(updatedAt),
    },
    relationships: { organization: toOne('organizations', organizationName) },
    links: { self: `/api/v2/organizations/${organizationName}/sign-in-provider` },
  };
}

/** What is to be said of one, now. */
export function checkedProviderResource(checked: CheckedProvider): Resource {
  const { organizationId, organizationName, status, findings } = checked;
  return {
    id: organizationId,
    type: 'sign-in-provider-checks',
    attributes: {
      status,
      verdicts: findings.map(({ name, status, found, detail = null, advice = null }) => ({
        ...{ check: name, status, found, detail, advice },
      })),
    },
    relationships: { organization: toOne('organizations', organizationName) },
  };
}
