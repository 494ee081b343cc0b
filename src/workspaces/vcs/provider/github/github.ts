import Type from 'typebox';
import { reader } from '../http/untrusted.ts';
import type { Account, Hooks, Provider, ProviderAccess, RepositoryPage, RepositoryQuery } from '../port.ts';
import { ProviderError } from '../provider-error.ts';
import { call } from './api.ts';
import type { Dialect } from './dialect.ts';
import { GITHUB_HEADERS } from './headers.ts';
import { hooksOf } from './hooks.ts';
import { oauthOf } from './oauth.ts';
import { pullsOf } from './pulls.ts';
import { reportsOf, setCheck } from './reports.ts';
import { findRepository, repositoryPage } from './repositories.ts';

/** Limits of GitHub: a comment 65,536 characters, the description of a status 140. */
const GITHUB: Dialect = {
  apiBase: (apiUrl) => apiUrl,
  headers: GITHUB_HEADERS,
  hook: {
    events: ['push', 'pull_request', 'repository'],
    extra: { name: 'web' },
    config: { insecure_ssl: '0' },
    keepsSecret: false,
  },
  delivery: {
    ...{ event: 'x-github-event', id: 'x-github-delivery' },
    ...{ signature: 'x-hub-signature-256', prefix: 'sha256=' },
  },
  scope: 'repo',
  pageSize: 'per_page',
  newestFirst: { sort: 'updated', direction: 'desc' },
  states: {
    ...{ pending: 'pending', running: 'pending', success: 'success', failure: 'failure', error: 'error' },
    canceled: 'error',
  },
  limits: { comment: 65_536, description: 140 },
};

const PAGE_SIZE = 100;
/** @limit pages of 100 repositories that one search at GitHub looks through, pages -> the next page of the search goes on */
const SEARCHED_PAGES = 5;

const readUser = reader('user', Type.Object({ login: Type.String({ maxLength: 256 }) }));
const readList = reader('list of repositories', Type.Array(Type.Unknown(), { maxItems: PAGE_SIZE }));
const readInstalled = reader(
  'list of repositories',
  Type.Object({ repositories: Type.Array(Type.Unknown(), { maxItems: PAGE_SIZE }) }),
);

/** GitHub and GitHub Enterprise, with a token of a person. */
export const githubProvider: Provider = {
  whoAmI,
  repositories,
  repository: (access, key) => findRepository(GITHUB, access, key),
  gitCredentials: ({ token }) => ({ username: 'x-access-token', password: token }),
  pulls: pullsOf(GITHUB),
  hooks: hooksOf(GITHUB),
  reports: reportsOf(GITHUB),
  oauth: oauthOf(GITHUB),
};

/** Id of the one hook of a GitHub App, which has no hooks of repositories. */
const APP_HOOK = 'app';

const appHooks: Hooks = {
  ...hooksOf(GITHUB),
  ensure: async () => APP_HOOK,
  remove: async () => undefined,
};

/** GitHub and GitHub Enterprise, with the token of an installation of an App: it has checks. */
export const githubAppProvider: Provider = {
  ...githubProvider,
  hooks: appHooks,
  reports: {
    ...reportsOf(GITHUB),
    check: (access, repository, check) => setCheck(GITHUB, access, repository, check),
  },
};

async function whoAmI(access: ProviderAccess): Promise<Account> {
  if (access.credential.kind === 'app') return installationAccount(access);
  const { status, headers, json } = await call(GITHUB, access, '/user');
  if (status === 404) throw new ProviderError('invalid', 'There is no API at the URL of the connection');
  const scopes = (headers['x-oauth-scopes'] ?? '').slice(0, 1024).split(',');
  return { name: readUser(json).login, scopes: scopes.map((scope) => scope.trim()).filter((scope) => scope !== '') };
}

/** The token of an installation has no user. The owner of its repositories is the account. */
async function installationAccount(access: ProviderAccess): Promise<Account> {
  const { items } = await listPage(access, 1);
  return { name: items[0]?.identifier.split('/')[0] ?? '', scopes: [] };
}

/** GitHub cannot search the repositories that a credential may read, so this looks through their list. */
async function repositories(access: ProviderAccess, { search, page }: RepositoryQuery): Promise<RepositoryPage> {
  const pages = search === '' ? 1 : SEARCHED_PAGES;
  const found = [];
  let hasNext = true;
  for (let at = (page - 1) * pages + 1; hasNext && at <= page * pages; at++) {
    const loaded = await listPage(access, at);
    found.push(...loaded.items.filter(({ identifier }) => identifier.toLowerCase().includes(search.toLowerCase())));
    hasNext = loaded.hasNext;
  }
  return { items: found, nextPage: hasNext ? page + 1 : null };
}

function listPage(access: ProviderAccess, page: number) {
  const query = { per_page: PAGE_SIZE, page };
  if (access.credential.kind === 'app')
    return repositoryPage(
      GITHUB,
      access,
      { path: '/installation/repositories', query },
      (json) => readInstalled(json).repositories,
    );
  return repositoryPage(GITHUB, access, { path: '/user/repos', query: { ...query, sort: 'pushed' } }, readList);
}
