import type { Issue } from '../../../lib/errors.ts';
import { privateKeyOf } from '../../../lib/ssh-key/private-key.ts';
import { attributeIssue, unprocessable } from '../../jsonapi/errors.ts';
import type { NewOAuthClientInput, OAuthClient, OAuthClientInput, ServiceProvider } from './connection.ts';

/** Providers that use a key pair that the administrator registers with them. They need no secret at creation. */
const BY_APPLICATION_LINK: readonly ServiceProvider[] = ['bitbucket_server', 'bitbucket_data_center'];

/** Returns the errors in a new connection. */
export function newClientIssues(input: NewOAuthClientInput): Issue[] {
  const { serviceProvider, oauthToken, key, secret, privateKey } = input;
  const byLink = BY_APPLICATION_LINK.includes(serviceProvider);
  return [
    ...urlIssues('http-url', 'HTTP URL', input.httpUrl),
    ...urlIssues('api-url', 'API URL', input.apiUrl),
    ...(byLink || oauthToken || (key && secret)
      ? []
      : [attributeIssue('oauth-token-string', 'An OAuth token, or a key and a secret, is required')]),
    ...(privateKey && serviceProvider !== 'ado_server'
      ? [attributeIssue('private-key', 'A private key is only allowed for Azure DevOps Server')]
      : []),
  ];
}

/** Returns the errors in an update. */
export function clientIssues({ serviceProvider }: OAuthClient, { key }: OAuthClientInput): Issue[] {
  if (key !== '' || serviceProvider !== 'bitbucket_data_center') return [];
  return [
    attributeIssue('key', 'The consumer key for Bitbucket Data Center must be present. Please add a value for `key`.'),
  ];
}

function urlIssues(attribute: string, label: string, url: string): Issue[] {
  if (/^https?:$/.test(URL.parse(url)?.protocol ?? '')) return [];
  return [attributeIssue(attribute, `${label} must be an http or https URL`)];
}

/**
 * Returns the key in the form that `ssh` reads. @throws 422 for an unusable key; official clients know the first words
 */
export function usableSshKey(key: string): string {
  const read = privateKeyOf(key);
  if ('key' in read) return read.key;
  throw unprocessable([attributeIssue('ssh-key', `Ssh key is invalid: it ${read.problem}`)]);
}
