import { workspaces } from '../../../../api/client.ts';
import type { Connection } from '../connection.ts';
import type { Provider } from './providers.ts';
import type { ConnectSearch } from './steps.ts';

/** Credential of a new connection, or the statement that it comes later. */
type Credential = { readonly 'oauth-token-string': string } | { readonly 'credential-later': true };

/** Gives a new connection its token. The connection exists if the user first chose an OAuth application. */
export async function connectBy(token: string, organization: string, provider: Provider, search: ConnectSearch) {
  const credential = { 'oauth-token-string': token };
  if (!search.connection) return await create(organization, provider, search, credential);
  const { data } = await workspaces.send('PATCH /oauth-clients/{oauth_client_id}', {
    path: { oauth_client_id: search.connection },
    body: { data: { type: 'oauth-clients', attributes: credential } },
  });
  return data;
}

/** Creates a connection. */
export async function create(
  organization: string,
  { id }: Provider,
  { http = '', api = '', name }: ConnectSearch,
  credential: Credential,
): Promise<Connection> {
  const attributes = { 'service-provider': id, 'http-url': http, 'api-url': api, ...(name && { name }), ...credential };
  const { data } = await workspaces.send('POST /organizations/{organization_name}/oauth-clients', {
    path: { organization_name: organization },
    body: { data: { type: 'oauth-clients', attributes } },
  });
  return data;
}
