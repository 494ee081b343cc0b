import Type from 'typebox';
import { optionalText } from '../http/optional.ts';
import { Rest } from '../http/rest.ts';
import { reader } from '../http/untrusted.ts';
import type { ProviderAccess, ProviderRepository, RepositoryRef } from '../port.ts';

const project = Type.Object({
  id: Type.Integer(),
  path_with_namespace: Type.String(),
  web_url: Type.String(),
  http_url_to_repo: Type.String(),
  default_branch: optionalText,
  visibility: optionalText,
});

export const readProject = reader('project', project);
export const readProjects = reader('list of projects', Type.Array(project));

/** Returns a client of GitLab's API, version 4. The API URL of a connection may be that of the server. */
export function gitlabApi({ apiUrl, credential, http }: ProviderAccess): Rest {
  const base = /\/api\/v4\/?$/.test(apiUrl) ? apiUrl : `${apiUrl.replace(/\/+$/, '')}/api/v4`;
  return new Rest(http, base, { authorization: `Bearer ${credential.token}` });
}

/** Returns the path of a project by its id, which a new name does not change. */
export const projectPath = ({ providerId }: RepositoryRef): string => `/projects/${encodeURIComponent(providerId)}`;

export function repositoryOf(found: ReturnType<typeof readProject>): ProviderRepository {
  return {
    providerId: String(found.id),
    identifier: found.path_with_namespace,
    displayIdentifier: found.path_with_namespace,
    httpUrl: found.web_url,
    gitUrl: found.http_url_to_repo,
    defaultBranch: found.default_branch || null,
    isPrivate: found.visibility !== 'public',
  };
}
