import Type from 'typebox';
import { optional, optionalText } from '../http/optional.ts';
import { Rest } from '../http/rest.ts';
import { reader } from '../http/untrusted.ts';
import type { Credential, ProviderAccess, ProviderRepository, RepositoryRef } from '../port.ts';
import { ProviderError } from '../provider-error.ts';
import { linkUrl } from '../text.ts';
import { withoutUser } from '../urls.ts';

export const link = Type.Object({ href: Type.String() });
const repository = Type.Object({
  uuid: Type.String(),
  full_name: Type.String(),
  is_private: Type.Boolean(),
  mainbranch: optional(Type.Object({ name: Type.String() })),
  links: Type.Object({
    html: link,
    clone: optional(Type.Array(Type.Object({ href: Type.String(), name: optionalText }))),
  }),
});

/** Members of a repository that are read; without this filter Bitbucket sends ten times as much. */
export const REPOSITORY_FIELDS = ['uuid', 'full_name', 'is_private', 'mainbranch.name', 'links.html', 'links.clone'];
export const readRepository = reader('repository', repository);
export const readRepositories = reader(
  'list of repositories',
  Type.Object({ values: Type.Array(repository), next: optionalText }),
);

/** Account of Bitbucket Cloud whose user name and token are one text, as for API tokens: `EMAIL:TOKEN`. */
const WITH_USER = /^([^\s:]+):(\S+)$/;

/** Returns a client of the API of Bitbucket Cloud, version 2.0. */
export function bitbucketApi({ apiUrl, credential, http }: ProviderAccess): Rest {
  const base = /\/2\.0\/?$/.test(apiUrl) ? apiUrl : `${apiUrl.replace(/\/+$/, '')}/2.0`;
  return new Rest(http, base, { authorization: authorizationOf(credential) });
}

function authorizationOf({ token }: Credential): string {
  return WITH_USER.test(token) ? `Basic ${Buffer.from(token).toString('base64')}` : `Bearer ${token}`;
}

/** Returns the credentials for Git: an API token of a person has a user name of its own. */
export function gitCredentials({ token }: Credential) {
  const [, , apiToken] = WITH_USER.exec(token) ?? [];
  return apiToken
    ? { username: 'x-bitbucket-api-token-auth', password: apiToken }
    : { username: 'x-token-auth', password: token };
}

/** Returns the path of a repository by its id. An empty workspace stands for that of the id. */
export function repositoryPath({ providerId }: Pick<RepositoryRef, 'providerId'>): string {
  return `/repositories/${encodeURIComponent('{}')}/${encodeURIComponent(providerId)}`;
}

export function repositoryOf(found: ReturnType<typeof readRepository>): ProviderRepository {
  const httpUrl = linkUrl(found.links.html.href);
  const gitUrl = linkUrl(withoutUser(found.links.clone?.find(({ name }) => name === 'https')?.href));
  if (httpUrl === null) throw new ProviderError('invalid', 'The provider sent a repository without a usable URL');
  return {
    providerId: found.uuid,
    identifier: found.full_name,
    displayIdentifier: found.full_name,
    httpUrl,
    gitUrl: gitUrl ?? `${httpUrl}.git`,
    defaultBranch: found.mainbranch?.name || null,
    isPrivate: found.is_private,
  };
}
