import { Type } from 'typebox';
import { nullable, text } from '../../jsonapi/schema.ts';
import {
  attribute,
  is,
  link,
  optional,
  relationship,
  resourceOf,
  time,
  timeOrNull,
  toMany,
  toOne,
} from '../../resource/index.ts';
import { findProviderKind } from '../provider/providers.ts';
import { LONGEST_PATTERN, MOST_PATTERNS } from './allowed-repositories.ts';
import { callbackPath, uuidOf } from './callback.ts';
import { type OAuthClientView, type OAuthToken, SERVICE_PROVIDERS, type ServiceProvider } from './connection.ts';
import { HEALTH_ATTRIBUTES } from './health/attributes.ts';
import { excessScopes } from './health/health.ts';

const secret = optional(nullable(text(65_536)));
const url = { create: text(1024), update: Type.Optional(nullable(text(1024))) };
const provider = Type.Enum(Object.keys(SERVICE_PROVIDERS) as ServiceProvider[]);
const patterns = Type.Array(text(LONGEST_PATTERN), { maxItems: MOST_PATTERNS });
const pathOf = (id: string) => `/api/v2/oauth-clients/${id}`;

/** A connection to a VCS provider, without its secrets. `origin`: URL of this server as the caller reaches it. */
export const OAuthClientResource = resourceOf<OAuthClientView, [origin: string]>()('oauth-clients', {
  attributes: {
    name: attribute(is.textOrNull, 'name', optional(nullable(text(255)))),
    'created-at': time('createdAt'),
    'updated-at': time('updatedAt'),
    uuid: attribute(is.text, ({ id }) => uuidOf(id)),
    'api-url': attribute(is.text, 'apiUrl', url),
    'http-url': attribute(is.text, 'httpUrl', url),
    'callback-url': attribute(is.textOrNull, (client, origin) =>
      hasSignIn(client) ? `${origin}${callbackPath(client.id)}` : null,
    ),
    'connect-path': attribute(is.textOrNull, (client) => (hasSignIn(client) ? connectPath(client) : null)),
    key: attribute(is.textOrNull, 'key', optional(nullable(text(1024)))),
    'ado-entra-tenant-id': attribute(is.textOrNull, 'entraTenantId', optional(nullable(text(255)))),
    'rsa-public-key': attribute(is.textOrNull, 'rsaPublicKey', secret),
    secret: attribute(is.textOrNull, () => null, secret),
    'private-key': secret,
    'oauth-token-string': optional(nullable(text(4096))),
    // HCP Terraform does not have it.
    'credential-later': { create: Type.Optional(nullable(Type.Boolean())) },
    'service-provider': attribute(provider, 'serviceProvider', { create: provider }),
    'service-provider-display-name': attribute(is.text, ({ serviceProvider }) => SERVICE_PROVIDERS[serviceProvider]),
    'organization-scoped': attribute(
      is.flag,
      ({ organizationScoped }) => organizationScoped === 1,
      optional(nullable(Type.Boolean())),
    ),
    'allowed-repositories': attribute(is.texts, 'allowedRepositories', optional(nullable(patterns))),
    'affected-workspaces-count': attribute(is.integer, 'workspaces'),
    ...HEALTH_ATTRIBUTES,
  },
  relationships: {
    organization: toOne('organizations', 'organizationName'),
    'agent-pool': toOne('agent-pools', 'agentPoolId'),
    'oauth-tokens': relationship(is.toMany('oauth-tokens'), ({ id: clientId, tokenIds }) => ({
      data: tokenIds.map((id) => ({ type: 'oauth-tokens', id })),
      links: { related: `${pathOf(clientId)}/oauth-tokens` },
    })),
    projects: toMany('projects', 'projectIds'),
  },
  links: ({ id }) => ({ self: pathOf(id) }),
});

function hasSignIn({ serviceProvider }: OAuthClientView): boolean {
  return findProviderKind(serviceProvider, 'oauth')?.provider.oauth !== undefined;
}

function connectPath({ id, organizationName }: OAuthClientView): string {
  return `/auth/${uuidOf(id)}?organization_id=${encodeURIComponent(organizationName)}`;
}

/** A token of a connection, without its text. */
export const OAuthTokenResource = resourceOf<OAuthToken>()('oauth-tokens', {
  attributes: {
    uid: attribute(is.textOrNull, () => null),
    'created-at': time('createdAt'),
    'service-provider-user': attribute(is.text, ({ account }) => account ?? ''),
    'has-ssh-key': attribute(is.flag, ({ hasSshKey }) => hasSshKey === 1),
    'ssh-key': { update: Type.Optional(nullable(text(65_536))) },
    'expires-at': timeOrNull('expiresAt'),
    scopes: attribute(is.texts, ({ health }) => health.scopes),
    'excess-scopes': attribute(is.texts, ({ health }) => excessScopes(health.scopes)),
  },
  relationships: {
    'oauth-client': toOne('oauth-clients', 'oauthClientId'),
    'vcs-organizations': link(({ id }) => `/api/v2/oauth-tokens/${id}/vcs-organizations`),
  },
  links: ({ id }) => ({ self: `/api/v2/oauth-tokens/${id}` }),
});
