import type { Issue } from '../../../lib/errors.ts';
import { privateKeyOf } from '../../../lib/ssh-key/private-key.ts';
import { attributeIssue, unprocessable } from '../../jsonapi/errors.ts';
import type { NewOAuthClientInput, OAuthClient, OAuthClientInput, ServiceProvider } from './connection.ts';

/** These connect by a key that the provider is told of, and need nothing to begin with. */
const BY_APPLICATION_LINK: readonly ServiceProvider[] = ['bitbucket_server', 'bitbucket_data_center'];

/** What is wrong with a new connection. */
export function newClientIssues(input: NewOAuthClientInput): Issue[] {
  const { serviceProvider, oauthToken, key, secret, privateKey } = input;
  const byLink = BY_APPLICATION_LINK.includes(serviceProvider);
  return [
    ...urlIssues('http-url', 'HTTP URL', input.httpUrl),
    ...urlIssues('api-url', 'API URL', input.apiUrl),
    ...(byLink || oauthToken || (key && secret)
      ? []
      : [attributeIssue('oauth-token-string', 'An OAuth token, or a key and a secret, must be given')]),
    ...(privateKey && serviceProvider !== 'ado_server'
      ? [attributeIssue('private-key', 'A private key can only be given for Azure DevOps Server')]
      : []),
  ];
}

/** What is wrong with a change of one. */
export function clientIssues({ serviceProvider }: OAuthClient, { key }: OAuthClientInput): Issue[] {
  if (key !== '' || serviceProvider !== 'bitbucket_data_center') return [];
  return [
    attributeIssue('key', 'The consumer key for Bitbucket Data Center must be present. Please add a value for `key`.'),
  ];
}

function urlIssues(attribute: string, label: string, url: string): Issue[] {
  if (/^https?:$/.test(URL.parse(url)?.protocol ?? '')) return [];
  return [attributeIssue(attribute, `${label} is not an address on the web`)];
}

/** The key as `ssh` reads it. @throws 422 for one that it cannot use; official clients know the first words */
export function usableSshKey(key: string): string {
  const read = privateKeyOf(key);
  if ('key' in read) return read.key;
  throw unprocessable([attributeIssue('ssh-key', `Ssh key is invalid: it ${read.problem}`)]);
}
