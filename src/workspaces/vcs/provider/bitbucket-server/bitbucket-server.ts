import Type from 'typebox';
import { optionalText } from '../http/optional.ts';
import type { Rest } from '../http/rest.ts';
import { reader } from '../http/untrusted.ts';
import type { Provider, ProviderAccess, ProviderRepository } from '../port.ts';
import { ProviderError } from '../provider-error.ts';
import { titleText } from '../text.ts';
import { decoded } from '../urls.ts';
import { pathOfName, readRepositories, readRepository, repositoryOf, serverApi } from './api.ts';
import { serverHooks } from './hooks.ts';
import { serverOAuth } from './oauth.ts';
import { serverPulls } from './pulls.ts';
import { serverReports } from './reports.ts';

const PAGE_SIZE = 100;
const SCAN_PAGE_SIZE = 500;
/** @limit repositories of a Bitbucket Data Center among which a renamed one is found, pages of 500 repositories -> it counts as deleted */
const SCAN_PAGES = 40;
const readServer = reader('description of the server', Type.Object({ version: Type.String() }));
const readBranch = reader('branch', Type.Object({ displayId: optionalText }));

/** Bitbucket Data Center, with access tokens over HTTP or OAuth 2. */
export const bitbucketServerProvider: Provider = {
  async whoAmI(access) {
    const { headers, json } = await serverApi(access).send('GET', '/application-properties');
    readServer(json);
    // Bitbucket answers to strangers, too, and names the user in this header only.
    const name = headers['x-ausername'];
    if (!name) throw new ProviderError('refused', 'The provider treats the request as anonymous. Check the token');
    return { name: titleText(decoded(name)), scopes: [] };
  },

  // Bitbucket gives the start of the next page, which stands for its number.
  async repositories(access, { search, organization, page }) {
    const { json } = await serverApi(access).send('GET', '/repos', {
      query: {
        ...{ permission: 'REPO_READ', start: page - 1, limit: PAGE_SIZE, projectkey: organization },
        ...(search !== '' && { name: search }),
      },
    });
    const { values, isLastPage, nextPageStart } = readRepositories(json);
    const next = isLastPage || nextPageStart == null ? null : nextPageStart + 1;
    return { items: values.map((found) => repositoryOf(found, null)), nextPage: next };
  },

  async repository(access, of) {
    const api = serverApi(access);
    if (!('providerId' in of)) return await byName(api, of.identifier);
    const known = await byName(api, of.identifier);
    return known?.providerId === of.providerId ? known : await byId(access, of.providerId);
  },

  gitCredentials: ({ token }) => ({ username: 'x-token-auth', password: token }),
  pulls: serverPulls,
  hooks: serverHooks,
  reports: serverReports,
  oauth: serverOAuth,
};

async function byName(api: Rest, identifier: string): Promise<ProviderRepository | undefined> {
  const path = pathOfName(identifier);
  const found = path && (await api.find('GET', path));
  if (!path || !found) return undefined;
  // An empty repository has no default branch, and an old server no such route.
  const branch = await api.find('GET', `${path}/default-branch`);
  const name = branch?.json === undefined ? null : readBranch(branch.json).displayId;
  return repositoryOf(readRepository(found.json), name || null);
}

/** Finds a repository by its id. The API has no such route, so this looks through the list of repositories. */
async function byId(access: ProviderAccess, id: string): Promise<ProviderRepository | undefined> {
  const api = serverApi(access);
  let start = 0;
  for (let page = 0; page < SCAN_PAGES; page++) {
    const { json } = await api.send('GET', '/repos', {
      query: { permission: 'REPO_READ', start, limit: SCAN_PAGE_SIZE },
    });
    const { values, isLastPage, nextPageStart } = readRepositories(json);
    const found = values.find((each) => String(each.id) === id);
    if (found) return await byName(api, `${found.project.key}/${found.slug}`);
    if (isLastPage || nextPageStart == null) break;
    start = nextPageStart;
  }
  return undefined;
}
