import type { Credential, GitCredentials, Provider, ProviderRepository } from '../port.ts';
import { ProviderError } from '../provider-error.ts';
import { decoded } from '../urls.ts';

/** User name for a credential that has none. Servers ignore it beside a token. */
const USER = 'git';

/** A Git server without an API: repositories are known by URL, and only Git itself says whether one exists. */
export const plainProvider: Provider = {
  whoAmI: async ({ credential }) => ({ name: gitCredentials(credential).username, scopes: [] }),
  repositories: async () => ({ items: [], nextPage: null }),

  async repository({ httpUrl }, of) {
    const root = URL.parse(`${httpUrl.replace(/\/+$/, '')}/`);
    if (root === null) throw new ProviderError('invalid', 'The URL of the connection is not an http or https URL');
    const url = repositoryUrl(root, 'providerId' in of ? of.providerId : of.identifier);
    return url && repositoryOf(url, root);
  },

  gitCredentials,
};

/** The credential is `USER:PASSWORD`, or a token that needs no user name. */
function gitCredentials({ token }: Credential): GitCredentials {
  const colon = token.indexOf(':');
  if (colon === -1) return { username: USER, password: token };
  return { username: token.slice(0, colon), password: token.slice(colon + 1) };
}

/**
 * Returns the URL of a repository: a path below the connection's URL, or a URL below it. Others are undefined, because
 * the credential must not reach other servers.
 */
function repositoryUrl(root: URL, name: string): URL | undefined {
  const url = URL.parse(/^https?:\/\//i.test(name) ? name : `./${pathOf(name)}`, root.href);
  if (url === null || url.origin !== root.origin || url.username !== '' || url.password !== '') return undefined;
  url.search = '';
  url.hash = '';
  url.pathname = url.pathname.replace(/\/+$/, '');
  return url.pathname.startsWith(root.pathname) && url.pathname.length > root.pathname.length ? url : undefined;
}

/** Encodes the parts of a path, which people may have encoded already. */
function pathOf(name: string): string {
  const parts = name.split('/').filter((part) => part !== '');
  return parts.map((part) => encodeURIComponent(decoded(part))).join('/');
}

function repositoryOf(url: URL, root: URL): ProviderRepository {
  const identifier = url.pathname.slice(root.pathname.length).split('/').map(decoded).join('/');
  return {
    ...{ providerId: url.href, identifier, displayIdentifier: identifier },
    ...{ httpUrl: url.href, gitUrl: url.href, defaultBranch: null, isPrivate: true },
  };
}
