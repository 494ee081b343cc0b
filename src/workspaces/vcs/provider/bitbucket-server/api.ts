import Type from 'typebox';
import { optional, optionalText } from '../http/optional.ts';
import { Rest } from '../http/rest.ts';
import { reader } from '../http/untrusted.ts';
import type { ProviderAccess, ProviderRepository, RepositoryRef } from '../port.ts';
import { ProviderError } from '../provider-error.ts';
import { linkUrl } from '../text.ts';
import { withoutUser } from '../urls.ts';

const links = Type.Array(Type.Object({ href: optionalText, name: optionalText }));
const repository = Type.Object({
  id: Type.Integer(),
  slug: Type.String(),
  project: Type.Object({ key: Type.String() }),
  public: optional(Type.Boolean()),
  links: Type.Object({ clone: optional(links), self: optional(links) }),
});
export const readRepository = reader('repository', repository);
export const readRepositories = reader(
  'list of repositories',
  Type.Object({ values: Type.Array(repository), isLastPage: Type.Boolean(), nextPageStart: optional(Type.Integer()) }),
);
type Repository = ReturnType<typeof readRepository>;

/** Returns the URL of the server; people give it with or without the path of the API. */
export const serverUrl = (url: string): string => url.replace(/\/rest(\/api(\/[\w.]+)?)?\/?$/, '').replace(/\/+$/, '');

/** Returns a client of the API of Bitbucket Data Center. */
export function serverApi({ apiUrl, credential, http }: ProviderAccess): Rest {
  return new Rest(http, `${serverUrl(apiUrl)}/rest/api/latest`, { authorization: `Bearer ${credential.token}` });
}

/** Returns the path of a repository by its name, `PROJECT/slug` or `~user/slug`; undefined for another form. */
export function pathOfName(identifier: string): string | undefined {
  const [project, slug, ...rest] = identifier.split('/');
  if (!project || !slug || rest.length > 0) return undefined;
  return `/projects/${encodeURIComponent(project)}/repos/${encodeURIComponent(slug)}`;
}

/**
 * Returns the path of a stored repository; undefined if it is gone. The API knows repositories by name only, so this
 * checks that the name still means the same one.
 */
export async function findPath(api: Rest, { identifier, providerId }: RepositoryRef): Promise<string | undefined> {
  const path = pathOfName(identifier);
  const found = path && (await api.find('GET', path));
  return found && String(readRepository(found.json).id) === providerId ? path : undefined;
}

/** Like `findPath`. @throws ProviderError `rejected` if the repository is gone */
export async function checkedPath(api: Rest, repository: RepositoryRef): Promise<string> {
  const path = await findPath(api, repository);
  if (path !== undefined) return path;
  throw new ProviderError('rejected', 'The repository is gone, or another one has its name now');
}

export function repositoryOf(
  { id, slug, project, links, ...rest }: Repository,
  branch: string | null,
): ProviderRepository {
  const httpUrl = linkUrl(links.self?.[0]?.href?.replace(/\/browse\/?$/, ''));
  const gitUrl = linkUrl(withoutUser(links.clone?.find(({ name }) => name === 'http' || name === 'https')?.href));
  if (httpUrl === null || gitUrl === null)
    throw new ProviderError('invalid', 'The provider sent a repository without a URL for Git over HTTPS');
  const identifier = `${project.key}/${slug}`;
  return {
    ...{ providerId: String(id), identifier, displayIdentifier: identifier, httpUrl, gitUrl },
    ...{ defaultBranch: branch, isPrivate: !rest.public },
  };
}
