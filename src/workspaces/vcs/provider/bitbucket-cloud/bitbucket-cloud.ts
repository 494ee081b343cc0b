import Type from 'typebox';
import { pageOfGroups } from '../group-pages.ts';
import { optionalText } from '../http/optional.ts';
import { reader } from '../http/untrusted.ts';
import type { Account, Provider, ProviderAccess, RepositoryPage } from '../port.ts';
import { ProviderError } from '../provider-error.ts';
import { titleText } from '../text.ts';
import {
  bitbucketApi,
  gitCredentials,
  REPOSITORY_FIELDS,
  readRepositories,
  readRepository,
  repositoryOf,
  repositoryPath,
} from './api.ts';
import { bitbucketHooks } from './hooks.ts';
import { bitbucketOAuth } from './oauth.ts';
import { bitbucketPulls } from './pulls.ts';
import { bitbucketReports } from './reports.ts';

const PAGE_SIZE = 100;
const readUser = reader(
  'user',
  Type.Object({ uuid: Type.String(), username: optionalText, display_name: optionalText }),
);
const readWorkspaces = reader(
  'list of workspaces',
  Type.Object({ values: Type.Array(Type.Object({ workspace: Type.Object({ slug: Type.String() }) })) }),
);

/** Bitbucket Cloud, with access tokens of repositories, projects and workspaces, API tokens of people, or OAuth. */
export const bitbucketCloudProvider: Provider = {
  whoAmI,

  async repositories(access, { search, organization, page }) {
    const workspaces = organization === undefined ? await workspacesOf(access) : [organization];
    return await pageOfGroups(workspaces, page, (workspace, at) => workspacePage(access, workspace, search, at));
  },

  async repository(access, of) {
    const path = 'providerId' in of ? repositoryPath(of) : pathOfName(of.identifier);
    if (path === undefined) return undefined;
    const found = await bitbucketApi(access).find('GET', path, { query: { fields: REPOSITORY_FIELDS.join() } });
    return found && repositoryOf(readRepository(found.json));
  },

  gitCredentials,
  pulls: bitbucketPulls,
  hooks: bitbucketHooks,
  reports: bitbucketReports,
  oauth: bitbucketOAuth,
};

function pathOfName(identifier: string): string | undefined {
  const [workspace, slug, ...rest] = identifier.split('/');
  if (!workspace || !slug || rest.length > 0) return undefined;
  return `/repositories/${encodeURIComponent(workspace)}/${encodeURIComponent(slug)}`;
}

/**
 * Returns the account. Bitbucket authenticates the token of a repository, project or workspace, but it is no user: the
 * account then has no name.
 */
async function whoAmI(access: ProviderAccess): Promise<Account> {
  try {
    const { json, headers } = await bitbucketApi(access).send('GET', '/user');
    const { username, display_name } = readUser(json);
    return { name: titleText(username ?? display_name), scopes: scopesOf(headers) };
  } catch (error) {
    if (error instanceof ProviderError && error.kind === 'forbidden') return { name: '', scopes: [] };
    throw error;
  }
}

const scopesOf = (headers: Readonly<Record<string, string>>): string[] =>
  (headers['x-oauth-scopes'] ?? '').split(/[\s,]+/).filter((scope) => scope !== '');

/** Bitbucket lists repositories of one workspace only. */
async function workspacePage(
  access: ProviderAccess,
  workspace: string,
  search: string,
  page: number,
): Promise<RepositoryPage> {
  const { json } = await bitbucketApi(access).send('GET', `/repositories/${encodeURIComponent(workspace)}`, {
    query: {
      ...{ role: 'member', sort: '-updated_on', pagelen: PAGE_SIZE, page },
      fields: ['next', ...REPOSITORY_FIELDS.map((field) => `values.${field}`)].join(),
      ...(search !== '' && { q: `full_name ~ ${JSON.stringify(search)}` }),
    },
  });
  const { values, next } = readRepositories(json);
  return { items: values.map(repositoryOf), nextPage: next ? page + 1 : null };
}

async function workspacesOf(access: ProviderAccess): Promise<string[]> {
  const { json } = await bitbucketApi(access).send('GET', '/user/workspaces', { query: { pagelen: PAGE_SIZE } });
  return readWorkspaces(json).values.map(({ workspace }) => workspace.slug);
}
