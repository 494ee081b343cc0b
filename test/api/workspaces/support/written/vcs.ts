import { privateKey } from '../../../../support/samples/private-key.ts';
import { secret, type Written } from './written.ts';

const VCS_SECRETS = Object.fromEntries(['secret', 'private-key', 'oauth-token-string'].map((name) => [name, secret]));
const VCS = {
  name: 'Written',
  key: 'key-1',
  'rsa-public-key': 'public-1',
  'organization-scoped': false,
  'ado-entra-tenant-id': 'tenant-1',
  'allowed-repositories': ['acme/*'],
};
const newOauthClient: Written = {
  sets: [
    {
      ...VCS,
      'service-provider': 'gitlab_enterprise_edition',
      'http-url': 'https://gitlab.example.com',
      'api-url': 'https://gitlab.example.com/api',
      'oauth-token-string': 'dummy',
    },
  ],
  elsewhere: { ...VCS_SECRETS, 'credential-later': { why: 'says only that no credential is required yet' } },
};
const MOVED = { 'http-url': 'https://moved.example.com', 'api-url': 'https://10.0.0.2', 'oauth-token-string': 'dummy' };
const oauthClient: Written = { sets: [{ ...VCS, ...MOVED }], elsewhere: VCS_SECRETS };

/** Attributes that VCS connections take. */
export const VCS_WRITTEN: Readonly<Record<string, Written>> = {
  'POST /organizations/:organization_name/oauth-clients': newOauthClient,
  'PATCH /oauth-clients/:oauth_client_id': oauthClient,
  'PATCH /oauth-tokens/:oauth_token_id': {
    sets: [{ 'ssh-key': privateKey }],
    elsewhere: { 'ssh-key': secret },
  },
};
