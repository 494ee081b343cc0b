import { isoTime } from '../../../lib/clock.ts';
import { type Resource, toOne } from '../../jsonapi/document.ts';
import { type OAuthClientView, type OAuthToken, SERVICE_PROVIDERS } from './connection.ts';

/**
 * Returns the document of a connection, without its secrets. It has no URLs for an OAuth sign-in at the provider,
 * because the server offers none.
 */
export function clientResource(client: OAuthClientView): Resource {
  const self = `/api/v2/oauth-clients/${client.id}`;
  return {
    id: client.id,
    type: 'oauth-clients',
    attributes: {
      name: client.name,
      'created-at': isoTime(client.createdAt),
      'api-url': client.apiUrl,
      'http-url': client.httpUrl,
      'callback-url': null,
      'connect-path': null,
      key: client.key,
      'rsa-public-key': client.rsaPublicKey,
      secret: null,
      'service-provider': client.serviceProvider,
      'service-provider-display-name': SERVICE_PROVIDERS[client.serviceProvider],
      'organization-scoped': client.organizationScoped === 1,
    },
    relationships: {
      organization: toOne('organizations', client.organizationName),
      'agent-pool': toOne('agent-pools', client.agentPoolId),
      'oauth-tokens': {
        data: client.tokenIds.map((id) => ({ type: 'oauth-tokens', id })),
        links: { related: `${self}/oauth-tokens` },
      },
      projects: { data: client.projectIds.map((id) => ({ type: 'projects', id })) },
    },
    links: { self },
  };
}

/** Returns the document of a token, without its text. */
export function tokenResource(token: OAuthToken): Resource {
  return {
    id: token.id,
    type: 'oauth-tokens',
    attributes: {
      uid: null,
      'created-at': isoTime(token.createdAt),
      'service-provider-user': '',
      'has-ssh-key': token.hasSshKey === 1,
    },
    relationships: { 'oauth-client': toOne('oauth-clients', token.oauthClientId) },
    links: { self: `/api/v2/oauth-tokens/${token.id}` },
  };
}
