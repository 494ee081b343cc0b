import { createHash } from 'node:crypto';
import { isoTime } from '../../../lib/clock.ts';
import { type Resource, toOne } from '../../jsonapi/document.ts';
import { findProviderKind } from '../provider/providers.ts';
import { type OAuthClientView, type OAuthToken, SERVICE_PROVIDERS } from './connection.ts';
import { excessScopes } from './health/health.ts';

/**
 * Returns the UUID in the callback URL of a connection. It follows from the id, and is no secret: sign-ins are protected
 * by their state.
 */
export function uuidOf(clientId: string): string {
  const hex = createHash('sha256').update(`oauth-client/${clientId}`).digest('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), `8${hex.slice(13, 16)}`, `8${hex.slice(17, 20)}`, hex.slice(20, 32)].join(
    '-',
  );
}

/** Returns the path to which a provider sends users back. */
export const callbackPath = (clientId: string): string => `/auth/${uuidOf(clientId)}/callback`;

const time = (milliseconds: number | null) => (milliseconds === null ? null : isoTime(milliseconds));

/**
 * Returns the document of a connection, without its secrets.
 * @param origin URL of this server as the caller reaches it: `https://lock.example`
 */
export function clientResource(client: OAuthClientView, origin: string): Resource {
  const self = `/api/v2/oauth-clients/${client.id}`;
  const { status, reason, since, checkedAt } = client.health;
  const hasSignIn = findProviderKind(client.serviceProvider, 'oauth')?.provider.oauth !== undefined;
  const organization = encodeURIComponent(client.organizationName);
  return {
    id: client.id,
    type: 'oauth-clients',
    attributes: {
      name: client.name,
      'created-at': isoTime(client.createdAt),
      'updated-at': isoTime(client.updatedAt),
      uuid: uuidOf(client.id),
      'api-url': client.apiUrl,
      'http-url': client.httpUrl,
      'callback-url': hasSignIn ? `${origin}${callbackPath(client.id)}` : null,
      'connect-path': hasSignIn ? `/auth/${uuidOf(client.id)}?organization_id=${organization}` : null,
      key: client.key,
      'ado-entra-tenant-id': client.entraTenantId,
      'rsa-public-key': client.rsaPublicKey,
      secret: null,
      'service-provider': client.serviceProvider,
      'service-provider-display-name': SERVICE_PROVIDERS[client.serviceProvider],
      'organization-scoped': client.organizationScoped === 1,
      'allowed-repositories': client.allowedRepositories,
      'affected-workspaces-count': client.workspaces,
      'connection-status': status,
      'connection-status-reason': reason,
      'connection-status-since': time(since),
      'connection-checked-at': time(checkedAt),
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
  const { scopes } = token.health;
  return {
    id: token.id,
    type: 'oauth-tokens',
    attributes: {
      uid: null,
      'created-at': isoTime(token.createdAt),
      'service-provider-user': token.account ?? '',
      'has-ssh-key': token.hasSshKey === 1,
      'expires-at': time(token.expiresAt),
      scopes,
      'excess-scopes': excessScopes(scopes),
    },
    relationships: {
      'oauth-client': toOne('oauth-clients', token.oauthClientId),
      'vcs-organizations': { links: { related: `/api/v2/oauth-tokens/${token.id}/vcs-organizations` } },
    },
    links: { self: `/api/v2/oauth-tokens/${token.id}` },
  };
}
