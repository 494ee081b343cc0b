import type { Resources } from '../../../../api/client.ts';
import * as texts from '../texts.ts';

export type ServiceProvider = Resources['oauth-clients']['attributes']['service-provider'];

/** Ways in which a connection gets its credential. */
export type Way = 'token' | 'oauth' | 'app';

/** A VCS provider that a user can connect. */
export interface Provider {
  readonly id: ServiceProvider;
  readonly label: string;
  /** Name of the product in texts: `GitLab` for all three editions. */
  readonly product: string;
  /** One line that tells similar providers apart. */
  readonly note: string;
  /** URLs of a provider that is hosted at one place; undefined: the user enters the URL of the server. */
  readonly urls?: { readonly http: string; readonly api: string };
  /** API URLs of a provider that is hosted at one place, besides the usual one. */
  readonly otherApis?: RegExp;
  /** Path of the API below the URL of a server. */
  readonly apiPath: string;
  readonly ways: readonly Way[];
}

/** URLs of one organization at Azure DevOps Services, new and old. */
const AZURE_APIS = /^https:\/\/(?:dev\.azure\.com|[\w-]+\.visualstudio\.com)(?:\/|$)/;
const TOKEN_OR_OAUTH: readonly Way[] = ['token', 'oauth'];

/** All providers, in the order of the choice. */
export const PROVIDERS: readonly Provider[] = [
  {
    ...{ id: 'github', label: 'GitHub', product: 'GitHub', note: 'github.com' },
    urls: { http: 'https://github.com', api: 'https://api.github.com' },
    ...{ apiPath: '', ways: ['app', 'token', 'oauth'] },
  },
  {
    ...{ id: 'github_enterprise', label: 'GitHub Enterprise', product: 'GitHub', note: texts.serverOfYourOwn },
    ...{ apiPath: '/api/v3', ways: ['app', 'token', 'oauth'] },
  },
  {
    ...{ id: 'gitlab_hosted', label: 'GitLab.com', product: 'GitLab', note: 'gitlab.com' },
    urls: { http: 'https://gitlab.com', api: 'https://gitlab.com/api/v4' },
    ...{ apiPath: '', ways: TOKEN_OR_OAUTH },
  },
  {
    ...{ id: 'gitlab_community_edition', label: 'GitLab Community Edition', product: 'GitLab' },
    ...{ note: texts.serverOfYourOwn, apiPath: '/api/v4', ways: TOKEN_OR_OAUTH },
  },
  {
    ...{ id: 'gitlab_enterprise_edition', label: 'GitLab Enterprise Edition', product: 'GitLab' },
    ...{ note: texts.serverOfYourOwn, apiPath: '/api/v4', ways: TOKEN_OR_OAUTH },
  },
  {
    ...{ id: 'gitea', label: 'Gitea', product: 'Gitea', note: texts.serverOfYourOwn },
    ...{ apiPath: '/api/v1', ways: TOKEN_OR_OAUTH },
  },
  {
    ...{ id: 'forgejo', label: 'Forgejo', product: 'Forgejo', note: texts.codebergOrAServer },
    ...{ apiPath: '/api/v1', ways: TOKEN_OR_OAUTH },
  },
  {
    ...{ id: 'bitbucket_hosted', label: 'Bitbucket Cloud', product: 'Bitbucket', note: 'bitbucket.org' },
    urls: { http: 'https://bitbucket.org', api: 'https://api.bitbucket.org/2.0' },
    ...{ apiPath: '', ways: TOKEN_OR_OAUTH },
  },
  {
    ...{ id: 'bitbucket_data_center', label: 'Bitbucket Data Center', product: 'Bitbucket' },
    ...{ note: texts.serverOfYourOwn, apiPath: '', ways: TOKEN_OR_OAUTH },
  },
  {
    ...{ id: 'bitbucket_server', label: 'Bitbucket Server', product: 'Bitbucket', note: texts.serverOfYourOwn },
    ...{ apiPath: '', ways: TOKEN_OR_OAUTH },
  },
  {
    ...{ id: 'ado_services', label: 'Azure DevOps Services', product: 'Azure DevOps', note: 'dev.azure.com' },
    urls: { http: 'https://dev.azure.com', api: 'https://dev.azure.com' },
    ...{ otherApis: AZURE_APIS, apiPath: '', ways: TOKEN_OR_OAUTH },
  },
  {
    ...{ id: 'ado_server', label: 'Azure DevOps Server', product: 'Azure DevOps', note: texts.serverOfYourOwn },
    ...{ apiPath: '', ways: ['token'] },
  },
  {
    ...{ id: 'git', label: 'Git over HTTPS', product: 'Git', note: texts.anyServerByPolling },
    ...{ apiPath: '', ways: ['token'] },
  },
];

export const findProvider = (id: string | undefined): Provider | undefined => PROVIDERS.find((one) => one.id === id);

/** Returns the API URL of a server, as long as the user does not enter another one. */
export const apiUrlOf = ({ apiPath }: Provider, http: string): string => http && `${trimmed(http)}${apiPath}`;

/** Returns a URL without slashes at its end. */
export const trimmed = (url: string): string => url.replace(/\/+$/, '');

/** Returns whether a text is a URL that a connection can have. */
export function isServerUrl(text: string): boolean {
  const url = URL.parse(text);
  return url !== null && /^https?:$/.test(url.protocol) && url.username === '' && url.password === '';
}
