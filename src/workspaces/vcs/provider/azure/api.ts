import Type from 'typebox';
import { optional, optionalText } from '../http/optional.ts';
import { Rest } from '../http/rest.ts';
import { reader } from '../http/untrusted.ts';
import type { Credential, ProviderAccess, ProviderRepository, RepositoryRef } from '../port.ts';
import { ProviderError } from '../provider-error.ts';
import { linkUrl } from '../text.ts';
import { decoded, withoutUser } from '../urls.ts';

/** Version of the API that Azure DevOps Services and Azure DevOps Server 2020 and later have. */
const VERSION = '6.0';

const repository = Type.Object({
  id: Type.String({ pattern: '^[0-9a-fA-F-]{36}$' }),
  name: Type.String({ minLength: 1 }),
  project: Type.Object({ id: Type.String(), name: Type.String({ minLength: 1 }), visibility: optionalText }),
  defaultBranch: optionalText,
  remoteUrl: Type.String(),
  webUrl: optionalText,
  isDisabled: optional(Type.Boolean()),
});
export const readRepository = reader('repository', repository);
export const readRepositories = reader('list of repositories', Type.Object({ value: Type.Array(repository) }));

/** A repository by its id, and the organization (or collection, at a server) in which the API finds it. */
export interface AzureId {
  readonly organization: string;
  readonly id: string;
}

/** Returns a client of the API of an organization. */
export function organizationApi(access: ProviderAccess, organization: string): Rest {
  return azureApi(access, organizationUrl(access.apiUrl, organization));
}

/** @param version of the API; some parts of it have a preview only */
export function azureApi(
  { credential, http }: Pick<ProviderAccess, 'credential' | 'http'>,
  base: string,
  version = VERSION,
): Rest {
  return new Rest(http, base, {
    authorization: authorizationOf(credential),
    accept: `application/json;api-version=${version}`,
    // Without it Azure DevOps answers a wrong token with its sign-in page.
    'x-tfs-fedauthredirect': 'Suppress',
  });
}

function authorizationOf({ kind, token }: Credential): string {
  return kind === 'oauth' ? `Bearer ${token}` : `Basic ${Buffer.from(`:${token}`).toString('base64')}`;
}

/** Returns the URL of an organization. The URL of a connection may be that of the organization or of the whole service. */
export function organizationUrl(url: string, organization: string): string {
  const base = url.replace(/\/+$/, '');
  const isIncluded = organizationOf(base)?.toLowerCase() === organization.toLowerCase();
  return isIncluded ? base : `${base}/${encodeURIComponent(organization)}`;
}

/** Returns the organization in the URL of a connection: the last part of its path, or the first label of an old host. */
export function organizationOf(url: string): string | undefined {
  const { hostname = '', pathname = '' } = URL.parse(url) ?? {};
  const old = /^([^.]+)\.visualstudio\.com$/.exec(hostname)?.[1];
  const last = pathname.split('/').findLast((part) => part !== '');
  return old ?? (last === undefined ? undefined : decoded(last));
}

/** Splits `organization/project/_git/repository`, with spaces as they are or encoded. */
export function namesOf(identifier: string): { organization: string; project: string; name: string } | undefined {
  const [organization, project, git, name, ...rest] = identifier.split('/').map(decoded);
  if (!organization || !project || git !== '_git' || !name || rest.length > 0) return undefined;
  return { organization, project, name };
}

/** Returns the provider's id of a repository. It has the organization, because each URL of the API has it. */
export const providerIdOf = ({ organization, id }: AzureId): string => `${organization}/${id}`.toLowerCase();

/** @throws ProviderError `rejected` for an id that this adapter did not make */
export function azureIdOf({ providerId }: Pick<RepositoryRef, 'providerId'>): AzureId {
  const [organization, id, ...rest] = providerId.split('/');
  if (organization && id && rest.length === 0) return { organization, id };
  throw new ProviderError('rejected', 'The id of the repository is not one of Azure DevOps');
}

export const repositoryPath = ({ id }: AzureId): string => `/_apis/git/repositories/${encodeURIComponent(id)}`;

export function repositoryOf(found: ReturnType<typeof readRepository>, organization: string): ProviderRepository {
  const identifier = `${organization}/${found.project.name}/_git/${found.name}`;
  // Azure DevOps puts the organization into the URL as a user name.
  const gitUrl = linkUrl(withoutUser(found.remoteUrl));
  if (gitUrl === null) throw new ProviderError('invalid', 'The provider sent a repository without a usable URL');
  return {
    providerId: providerIdOf({ organization, id: found.id }),
    ...{ identifier, displayIdentifier: identifier },
    ...{ httpUrl: linkUrl(found.webUrl) ?? gitUrl, gitUrl },
    defaultBranch: branchName(found.defaultBranch ?? '') || null,
    isPrivate: found.project.visibility !== 'public',
  };
}

export const branchName = (ref: string): string => ref.replace(/^refs\/heads\//, '');
