import type { Issue } from '../../../lib/errors.ts';
import { type Database, type Queries, sql } from '../../../storage/index.ts';
import { attributeIssue, unprocessable } from '../../jsonapi/errors.ts';
import { boundSecretIssues } from '../../platform/bound-secret.ts';
import type { Provider, ProviderAccess, ProviderHttp } from '../provider/port.ts';
import { ProviderError } from '../provider/provider-error.ts';
import type { HttpPlace, OAuthClientInput, OAuthClientView } from './connection.ts';
import type { ConnectionSealing } from './sealing.ts';
import { findSecrets } from './store.ts';

/** @limit repositories that the server compares when the URLs of a connection change, repositories -> the others are not compared */
const MOST_COMPARED = 20;

interface Followed {
  readonly providerId: string;
  readonly identifier: string;
}
const selectFollowed = sql<{ clientId: string }, Followed>(
  `SELECT r.provider_id AS "providerId", r.identifier FROM vcs_repository r
   JOIN oauth_token t ON t.id = r.oauth_token_id WHERE t.oauth_client_id = :clientId
   ORDER BY r.id LIMIT ${MOST_COMPARED}`,
);

export interface MovesOptions {
  readonly database: Database;
  readonly sealing: ConnectionSealing;
  readonly providerOf: (connection: Pick<HttpPlace, 'id' | 'serviceProvider'>) => Provider | undefined;
  readonly httpFor: (place: HttpPlace) => ProviderHttp;
}

type Move = Pick<OAuthClientInput, 'apiUrl' | 'httpUrl' | 'oauthToken' | 'secret'>;

/** Checks new URLs of a connection: its secrets are sent again, and the server there has the same repositories. */
export class Moves {
  readonly #options: MovesOptions;

  constructor(options: MovesOptions) {
    this.#options = options;
  }

  /**
   * Checks a change of the URLs. Does nothing if they stay.
   * @throws 422 without the secrets, or if the server at the new URLs is another one or does not respond
   */
  async assertSame(client: OAuthClientView, input: Move): Promise<void> {
    const { apiUrl = client.apiUrl, httpUrl = client.httpUrl, oauthToken } = input;
    if (apiUrl === client.apiUrl && httpUrl === client.httpUrl) return;
    const issues = await this.#secretIssues(client, input, { apiUrl, httpUrl });
    if (issues.length > 0) throw unprocessable(issues);
    const { database, httpFor, providerOf } = this.#options;
    const followed = await database.all(selectFollowed, { clientId: client.id });
    const provider = providerOf(client);
    if (followed.length === 0 || provider === undefined || oauthToken === undefined) return;
    try {
      const http = httpFor({ id: client.id, apiUrl, httpUrl, serviceProvider: client.serviceProvider });
      const access = { apiUrl, httpUrl, http, credential: { kind: 'token', token: oauthToken } } as const;
      for (const one of followed) await assertThere(provider, access, one);
    } catch (error) {
      if (!(error instanceof ProviderError)) throw error;
      throw unprocessable([attributeIssue('api-url', `The new URL cannot be checked: ${error.message}`)]);
    }
  }

  async #secretIssues(
    client: OAuthClientView,
    input: Move,
    next: { apiUrl: string; httpUrl: string },
  ): Promise<Issue[]> {
    const destination = {
      'api-url': [client.apiUrl, next.apiUrl],
      'http-url': [client.httpUrl, next.httpUrl],
    } as const;
    const hasSecret = await this.#hasSecret(this.#options.database, client.id);
    return [
      ...boundSecretIssues('oauth-token-string', 'OAuth token', {
        ...{ isStored: client.tokenIds.length > 0, given: input.oauthToken, destination },
      }),
      ...boundSecretIssues('secret', 'Secret', { isStored: hasSecret, given: input.secret, destination }),
    ].map((issue) => ({ ...issue, detail: issue.detail.replace('. Send null to remove it', '') }));
  }

  async #hasSecret(db: Queries, clientId: string): Promise<boolean> {
    const sealed = await findSecrets(db, clientId);
    return sealed !== undefined && this.#options.sealing.openSecrets(clientId, sealed).secret !== undefined;
  }
}

async function assertThere(provider: Provider, access: ProviderAccess, followed: Followed) {
  const { identifier } = followed;
  const found = await provider.repository(access, followed);
  if (found?.identifier === identifier) return;
  const detail = `The server at the new URL does not have the repository ${identifier}, which workspaces follow. Connect another server with a new connection`;
  throw unprocessable([attributeIssue('api-url', detail)]);
}
