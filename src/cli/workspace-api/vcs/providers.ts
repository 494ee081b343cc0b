/** URLs of a provider. */
export interface ProviderUrls {
  readonly httpUrl: string;
  readonly apiUrl: string;
}

interface Known {
  /** URL of the provider's own server. Undefined for servers that users run. */
  readonly httpUrl?: string;
  /** API URL of that server. */
  readonly apiUrl?: string;
  /** Path of the API on other servers. */
  readonly apiPath: string;
}

const GITLAB: Known = { apiPath: '/api/v4' };
const GITEA: Known = { apiPath: '/api/v1' };

const PROVIDERS: Readonly<Record<string, Known>> = {
  github: { httpUrl: 'https://github.com', apiUrl: 'https://api.github.com', apiPath: '' },
  github_enterprise: { apiPath: '/api/v3' },
  gitlab_hosted: { httpUrl: 'https://gitlab.com', ...GITLAB },
  gitlab_community_edition: GITLAB,
  gitlab_enterprise_edition: GITLAB,
  gitea: GITEA,
  forgejo: GITEA,
  bitbucket_hosted: { httpUrl: 'https://bitbucket.org', apiUrl: 'https://api.bitbucket.org/2.0', apiPath: '' },
  bitbucket_data_center: { apiPath: '' },
  ado_services: { httpUrl: 'https://dev.azure.com', apiPath: '' },
  ado_server: { apiPath: '' },
  git: { apiPath: '' },
};

export const PROVIDER_NAMES = Object.keys(PROVIDERS);

/** Returns the URLs of a provider. Undefined without a URL for a provider that users run. */
export function urlsOf(provider: string, url?: string, api?: string): ProviderUrls | undefined {
  const known = PROVIDERS[provider];
  const httpUrl = (url ?? known?.httpUrl)?.replace(/\/+$/, '');
  if (known === undefined || httpUrl === undefined) return undefined;
  const usual = httpUrl === known.httpUrl ? known.apiUrl : undefined;
  return { httpUrl, apiUrl: api ?? usual ?? `${httpUrl}${known.apiPath}` };
}
