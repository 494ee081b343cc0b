import Type from 'typebox';
import { hasNextPage } from '../http/pages.ts';
import { reader } from '../http/untrusted.ts';
import type { Provider, ProviderAccess } from '../port.ts';
import { ProviderError } from '../provider-error.ts';
import { gitlabApi, readProject, readProjects, repositoryOf } from './api.ts';
import { gitlabHooks } from './hooks.ts';
import { gitlabOAuth } from './oauth.ts';
import { gitlabPulls } from './pulls.ts';
import { gitlabReports } from './reports.ts';

const PAGE_SIZE = 100;
const readUser = reader('user', Type.Object({ username: Type.String() }));
const readToken = reader('token description', Type.Object({ scopes: Type.Array(Type.String()) }));

/** GitLab: gitlab.com and own installations, with tokens of users, projects and groups, or OAuth. */
export const gitlabProvider: Provider = {
  async whoAmI(access) {
    const { json } = await gitlabApi(access).send('GET', '/user');
    return { name: readUser(json).username, scopes: await scopesOf(access) };
  },

  async repositories(access, { search, page }) {
    const { json, headers } = await gitlabApi(access).send('GET', '/projects', {
      query: {
        ...{ membership: 'true', order_by: 'last_activity_at', sort: 'desc', per_page: PAGE_SIZE, page },
        ...(search !== '' && { search, search_namespaces: 'true' }),
      },
    });
    return { items: readProjects(json).map(repositoryOf), nextPage: hasNextPage(headers) ? page + 1 : null };
  },

  async repository(access, of) {
    const key = 'providerId' in of ? of.providerId : of.identifier;
    // GitLab takes a number for an id, wherever it comes from.
    if (/^\d+$/.test(key) !== 'providerId' in of) return undefined;
    const found = await gitlabApi(access).find('GET', `/projects/${encodeURIComponent(key)}`);
    return found && repositoryOf(readProject(found.json));
  },

  gitCredentials: ({ token }) => ({ username: 'oauth2', password: token }),
  pulls: gitlabPulls,
  hooks: gitlabHooks,
  reports: gitlabReports,
  oauth: gitlabOAuth,
};

/** Returns the scopes of an access token; empty for one that GitLab does not describe, such as an OAuth token. */
async function scopesOf(access: ProviderAccess): Promise<string[]> {
  if (access.credential.kind !== 'token') return [];
  try {
    const found = await gitlabApi(access).find('GET', '/personal_access_tokens/self');
    return found ? readToken(found.json).scopes : [];
  } catch (error) {
    if (error instanceof ProviderError && (error.kind === 'refused' || error.kind === 'forbidden')) return [];
    throw error;
  }
}
