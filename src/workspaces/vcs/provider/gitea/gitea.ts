import Type from 'typebox';
import { call } from '../github/api.ts';
import type { Dialect } from '../github/dialect.ts';
import { hooksOf } from '../github/hooks.ts';
import { oauthOf } from '../github/oauth.ts';
import { pullsOf } from '../github/pulls.ts';
import { reportsOf } from '../github/reports.ts';
import { findRepository, repositoryPage } from '../github/repositories.ts';
import { reader } from '../http/untrusted.ts';
import type { Account, Provider, ProviderAccess, RepositoryPage, RepositoryQuery } from '../port.ts';
import { ProviderError } from '../provider-error.ts';

const API_PATH = '/api/v1';

/** Gitea documents no length of a comment or description. These are stored and shown by every release. */
const GITEA: Dialect = {
  apiBase,
  headers: {},
  hook: {
    events: ['push', 'delete', 'pull_request', 'repository'],
    extra: { type: 'gitea' },
    config: {},
    keepsSecret: true,
  },
  delivery: { event: 'x-gitea-event', id: 'x-gitea-delivery', signature: 'x-gitea-signature', prefix: '' },
  scope: 'read:user write:repository write:issue',
  pageSize: 'limit',
  newestFirst: { sort: 'recentupdate' },
  states: {
    ...{ pending: 'pending', running: 'pending', success: 'success', failure: 'failure', error: 'error' },
    canceled: 'error',
  },
  limits: { comment: 65_536, description: 255 },
};

/** Gitea sends at most this many items by default. */
const PAGE_SIZE = 50;
const readUser = reader('user', Type.Object({ login: Type.String({ maxLength: 256 }) }));
const readSearch = reader('list of repositories', Type.Object({ data: Type.Array(Type.Unknown(), { maxItems: 100 }) }));

/** Gitea and Forgejo. */
export const giteaProvider: Provider = {
  whoAmI,
  repositories,
  repository: (access, key) => findRepository(GITEA, access, key),
  // Gitea looks up the password only.
  gitCredentials: ({ token }) => ({ username: 'x-access-token', password: token }),
  pulls: pullsOf(GITEA),
  hooks: hooksOf(GITEA),
  reports: reportsOf(GITEA),
  oauth: oauthOf(GITEA),
};

/** A token for repositories only may not read its user. Then the account has no name. */
async function whoAmI(access: ProviderAccess): Promise<Account> {
  try {
    const { status, json } = await call(GITEA, access, '/user');
    if (status === 404) throw new ProviderError('invalid', 'There is no API at the URL of the connection');
    return { name: readUser(json).login, scopes: [] };
  } catch (error) {
    if (!(error instanceof ProviderError) || error.kind !== 'forbidden') throw error;
    await repositories(access, { search: '', page: 1 });
    return { name: '', scopes: [] };
  }
}

async function repositories(access: ProviderAccess, { search, page }: RepositoryQuery): Promise<RepositoryPage> {
  const query = { q: search || undefined, sort: 'updated', order: 'desc', limit: PAGE_SIZE, page };
  const { items, hasNext } = await repositoryPage(
    GITEA,
    access,
    { path: '/repos/search', query },
    (json) => readSearch(json).data,
  );
  return { items, nextPage: hasNext ? page + 1 : null };
}

/** Accepts the URL of the server, too, from which the URL of its API follows. */
function apiBase(apiUrl: string): string {
  const base = apiUrl.replace(/\/+$/, '');
  return base.endsWith(API_PATH) ? base : base + API_PATH;
}
