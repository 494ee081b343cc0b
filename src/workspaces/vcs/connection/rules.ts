import type { Issue } from '../../../lib/errors.ts';
import { privateKeyOf } from '../../../lib/ssh-key/private-key.ts';
import { attributeIssue, unprocessable } from '../../jsonapi/errors.ts';
import { isPattern } from './allowed-repositories.ts';
import type { NewOAuthClientInput, OAuthClient, OAuthClientInput, ServiceProvider } from './connection.ts';

/** Providers that use a key pair that the administrator registers with them. They need no secret at creation. */
const BY_APPLICATION_LINK: readonly ServiceProvider[] = ['bitbucket_server', 'bitbucket_data_center'];

/** Returns the errors in a new connection. */
export function newClientIssues(input: NewOAuthClientInput): Issue[] {
  const { serviceProvider, oauthToken, key, secret, privateKey, isCredentialLater } = input;
  const byLink = BY_APPLICATION_LINK.includes(serviceProvider);
  return [
    ...urlIssues('http-url', 'HTTP URL', input.httpUrl),
    ...urlIssues('api-url', 'API URL', input.apiUrl),
    ...patternIssues(input.allowedRepositories),
    // Plain Git servers may serve public repositories.
    ...(byLink || serviceProvider === 'git' || oauthToken || (key && secret) || isCredentialLater
      ? []
      : [attributeIssue('oauth-token-string', 'An OAuth token, or a key and a secret, is required')]),
    ...(privateKey && serviceProvider !== 'ado_server'
      ? [attributeIssue('private-key', 'A private key is only allowed for Azure DevOps Server')]
      : []),
  ];
}

/** Returns the errors in an update. */
export function clientIssues({ serviceProvider }: OAuthClient, input: OAuthClientInput): Issue[] {
  const { apiUrl, httpUrl, key } = input;
  return [
    ...(httpUrl === undefined ? [] : urlIssues('http-url', 'HTTP URL', httpUrl)),
    ...(apiUrl === undefined ? [] : urlIssues('api-url', 'API URL', apiUrl)),
    ...patternIssues(input.allowedRepositories),
    ...(key === '' && serviceProvider === 'bitbucket_data_center' ? [attributeIssue('key', NO_KEY)] : []),
  ];
}

const NO_KEY = 'The consumer key for Bitbucket Data Center must be present. Please add a value for `key`.';

function urlIssues(attribute: string, label: string, text: string): Issue[] {
  const url = URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol)) {
    return [attributeIssue(attribute, `${label} must be an http or https URL`)];
  }
  if (url.username === '' && url.password === '') return [];
  return [attributeIssue(attribute, `${label} must not contain credentials`)];
}

function patternIssues(patterns: readonly string[] = []): Issue[] {
  const wrong = patterns.find((pattern) => !isPattern(pattern));
  if (wrong === undefined) return [];
  const detail = `Allowed repositories must be identifiers such as acme/infra or patterns such as acme/* or group/**; found ${wrong}`;
  return [attributeIssue('allowed-repositories', detail)];
}

/**
 * Returns the key in the form that `ssh` reads. @throws 422 for an unusable key; official clients know the first words
 */
export function usableSshKey(key: string): string {
  const read = privateKeyOf(key);
  if ('key' in read) return read.key;
  throw unprocessable([attributeIssue('ssh-key', `Ssh key is invalid: it ${read.problem}`)]);
}
