import { urlOf } from '../http/pages.ts';
import type { ProviderAccess, ProviderRequest, ProviderResponse, RepositoryRef } from '../port.ts';
import { ProviderError } from '../provider-error.ts';
import type { Dialect } from './dialect.ts';

type Query = Readonly<Record<string, string | number | undefined>>;

interface ApiRequest {
  readonly method?: ProviderRequest['method'];
  readonly query?: Query;
  readonly body?: unknown;
  readonly etag?: string | undefined;
}

/** Sends a request to the API. @throws ProviderError for all statuses but 200 to 299, 304 and 404 */
export function call(
  dialect: Dialect,
  { apiUrl, credential, http }: ProviderAccess,
  path: string,
  { method = 'GET', query, ...request }: ApiRequest = {},
): Promise<ProviderResponse> {
  return http.send({
    ...request,
    method,
    url: urlOf(dialect.apiBase(apiUrl), path, query),
    headers: { ...dialect.headers, authorization: `Bearer ${credential.token}` },
  });
}

/** Like `call`. @throws ProviderError `rejected` if there is nothing at the path */
export async function callExisting(
  dialect: Dialect,
  access: ProviderAccess,
  path: string,
  request: ApiRequest = {},
): Promise<ProviderResponse> {
  const response = await call(dialect, access, path, request);
  if (response.status !== 404) return response;
  throw new ProviderError(
    'rejected',
    `${new URL(access.apiUrl).host} has no such resource, or hides it from this credential`,
  );
}

/** Returns the path of a repository; undefined if the identifier is not `owner/name`. */
export function repositoryPath(identifier: string): string | undefined {
  const names = identifier.split('/');
  const isValid = names.length === 2 && names.every((name) => /^(?!\.{1,2}$)[^\s\p{Cc}]{1,255}$/u.test(name));
  return isValid ? `/repos/${names.map(encodeURIComponent).join('/')}` : undefined;
}

/** Returns the path of a stored repository. @throws ProviderError `rejected` */
export function pathOf({ identifier }: RepositoryRef): string {
  const path = repositoryPath(identifier);
  if (path === undefined) throw new ProviderError('rejected', 'The name of the repository is not owner/name');
  return path;
}

/** Returns an id as part of a path. @throws ProviderError `invalid` if it is not a number, as all ids of the API are */
export function idPart(id: string): string {
  if (/^\d{1,20}$/.test(id)) return id;
  throw new ProviderError('invalid', 'The id is not a number');
}
