import Type from 'typebox';
import { hasNextPage } from '../http/pages.ts';
import { reader } from '../http/untrusted.ts';
import type { ProviderAccess, ProviderRepository, RepositoryKey } from '../port.ts';
import { ProviderError } from '../provider-error.ts';
import { linkUrl } from '../text.ts';
import { call, idPart, repositoryPath } from './api.ts';
import type { Dialect } from './dialect.ts';

const repositorySchema = Type.Object({
  id: Type.Integer({ minimum: 0 }),
  full_name: Type.String({ minLength: 3, maxLength: 512 }),
  html_url: Type.String(),
  clone_url: Type.String(),
  default_branch: Type.Optional(Type.Union([Type.String({ maxLength: 1024 }), Type.Null()])),
  private: Type.Optional(Type.Boolean()),
  /** Gitea: a repository without commits. */
  empty: Type.Optional(Type.Boolean()),
});
const readRepository = reader('repository', repositorySchema);

/** Finds a repository by its id or its name; an old name leads to the repository, too. */
export async function findRepository(
  dialect: Dialect,
  access: ProviderAccess,
  key: RepositoryKey,
): Promise<ProviderRepository | undefined> {
  const path = 'providerId' in key ? `/repositories/${idPart(key.providerId)}` : repositoryPath(key.identifier);
  if (path === undefined) return undefined;
  const { status, json } = await call(dialect, access, path);
  return status === 404 ? undefined : toRepository(json);
}

/** One page of a list, and whether it is the last one. */
export interface ListPage {
  readonly items: readonly ProviderRepository[];
  readonly hasNext: boolean;
}

/**
 * Loads one page of a list of repositories.
 * @param itemsOf finds the list in the response
 */
export async function repositoryPage(
  dialect: Dialect,
  access: ProviderAccess,
  list: { readonly path: string; readonly query: Readonly<Record<string, string | number | undefined>> },
  itemsOf: (json: unknown) => readonly unknown[],
): Promise<ListPage> {
  const { status, headers, json } = await call(dialect, access, list.path, { query: list.query });
  if (status === 404) throw new ProviderError('invalid', 'There is no API at the URL of the connection');
  return { items: itemsOf(json).map(toRepository), hasNext: hasNextPage(headers) };
}

function toRepository(json: unknown): ProviderRepository {
  const { id, full_name, html_url, clone_url, ...rest } = readRepository(json);
  const [httpUrl, gitUrl] = [linkUrl(html_url), linkUrl(clone_url)];
  if (httpUrl === null || gitUrl === null)
    throw new ProviderError('invalid', 'The provider sent a repository without a usable URL');
  return {
    providerId: String(id),
    identifier: full_name,
    displayIdentifier: full_name,
    httpUrl,
    gitUrl,
    defaultBranch: rest.empty ? null : rest.default_branch || null,
    isPrivate: rest.private ?? true,
  };
}
