import { pageOfGroups } from '../group-pages.ts';
import type { Provider, ProviderAccess, ProviderRepository, RepositoryPage } from '../port.ts';
import { organizationsOf, whoAmI } from './account.ts';
import {
  azureIdOf,
  namesOf,
  organizationApi,
  readRepositories,
  readRepository,
  repositoryOf,
  repositoryPath,
} from './api.ts';
import { azureHooks } from './hooks.ts';
import { entraOAuth } from './oauth.ts';
import { azurePulls } from './pulls.ts';
import { azureReports } from './reports.ts';

const PAGE_SIZE = 100;

/** Azure DevOps Server, with personal access tokens. */
export const azureServerProvider: Provider = {
  whoAmI,

  /** @param query its organization may be `organization` or `organization/project` */
  async repositories(access, { search, organization, page }) {
    const groups = organization === undefined ? await organizationsOf(access) : [organization];
    return await pageOfGroups(groups, page, (group, at) => groupPage(access, group, search, at));
  },

  async repository(access, of) {
    if ('providerId' in of) {
      const id = azureIdOf(of);
      return await findRepository(access, id.organization, repositoryPath(id));
    }
    const names = namesOf(of.identifier);
    if (!names) return undefined;
    const path = `/${encodeURIComponent(names.project)}/_apis/git/repositories/${encodeURIComponent(names.name)}`;
    return await findRepository(access, names.organization, path);
  },

  gitCredentials: ({ token }) => ({ username: '', password: token }),
  pulls: azurePulls,
  hooks: azureHooks,
  reports: azureReports,
};

/** Azure DevOps Services, with personal access tokens, or with a sign-in at Microsoft Entra. */
export const azureServicesProvider: Provider = { ...azureServerProvider, oauth: entraOAuth };

async function findRepository(
  access: ProviderAccess,
  organization: string,
  path: string,
): Promise<ProviderRepository | undefined> {
  const found = await organizationApi(access, organization).find('GET', path);
  return found && repositoryOf(readRepository(found.json), organization);
}

/** Azure DevOps sends all repositories of an organization or project at once. */
async function groupPage(access: ProviderAccess, group: string, search: string, page: number): Promise<RepositoryPage> {
  const [organization = '', project] = group.split('/');
  const path = `${project ? `/${encodeURIComponent(project)}` : ''}/_apis/git/repositories`;
  const { json } = await organizationApi(access, organization).send('GET', path);
  const wanted = readRepositories(json)
    .value.filter(({ isDisabled }) => !isDisabled)
    .map((found) => repositoryOf(found, organization))
    .filter(({ identifier }) => identifier.toLowerCase().includes(search.toLowerCase()));
  const end = page * PAGE_SIZE;
  return { items: wanted.slice(end - PAGE_SIZE, end), nextPage: end < wanted.length ? page + 1 : null };
}
