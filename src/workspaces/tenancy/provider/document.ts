import { isoTime } from '../../../lib/clock.ts';
import { type Resource, toOne } from '../../jsonapi/document.ts';
import type { CheckedProvider } from './check.ts';
import type { Provider } from './store.ts';

const PLACE = '/app/~session/oidc';

/**
 * Returns the redirect URI of an organization's identity provider.
 * @param origin as in `providerResource`
 */
export const callbackOf = (origin: string, organizationId: string): string =>
  `${origin}${PLACE}/organizations/${organizationId}/callback`;

/**
 * Resource type of Lockkeeper only; HCP Terraform does not have it.
 * @param origin URL of this server as the caller reaches it: `https://lock.example`
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
      // URL to register at the identity provider.
      'callback-url': callbackOf(origin, organizationId),
      'logout-url': `${origin}${PLACE}/logout/${organizationId}`,
      'created-at': isoTime(createdAt),
      'updated-at': isoTime(updatedAt),
    },
    relationships: { organization: toOne('organizations', organizationName) },
    links: { self: `/api/v2/organizations/${organizationName}/sign-in-provider` },
  };
}

/** Converts the result of a check. */
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
