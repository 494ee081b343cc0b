import type { Clock } from '../../../../lib/clock.ts';
import { AppError } from '../../../../lib/errors.ts';
import { prefixedId } from '../../../../lib/ids.ts';
import type { Database } from '../../../../storage/index.ts';
import { targetOf } from '../../../delivery/index.ts';
import type { UserActor } from '../../../tenancy/index.ts';
import type { OAuthFlow, OAuthGrant, ProviderHttp } from '../../provider/port.ts';
import type { Connections } from '../access.ts';
import { callbackPath, uuidOf } from '../callback.ts';
import type { OAuthClients } from '../clients.ts';
import type { HttpPlace, OAuthClientView } from '../connection.ts';
import { overwriteToken } from '../credential-store.ts';
import type { Credentials } from '../credentials.ts';
import type { ConnectionChecks } from '../health/checks.ts';
import { isMoved } from '../move.ts';
import type { ConnectionSealing } from '../sealing.ts';
import * as store from '../store.ts';
import type { Authorizations } from './authorizations.ts';
import { type CameBack, codeOf, refusal, whileSigningIn } from './came-back.ts';

export interface OAuthConnectOptions {
  readonly database: Database;
  readonly clock: Clock;
  readonly sealing: ConnectionSealing;
  readonly authorizations: Authorizations;
  readonly clients: OAuthClients;
  readonly credentials: Credentials;
  readonly connections: Connections;
  readonly checks: ConnectionChecks;
  readonly flowOf: (serviceProvider: string) => OAuthFlow | undefined;
  readonly httpFor: (place: HttpPlace) => ProviderHttp;
}

const PAGE = 100;
const NO_CONNECTION = 'There is no such connection, or you may not manage it';
const NO_APPLICATION =
  'The connection has no OAuth application. Set its key and secret to those of the application at the provider';

/** Sign-in of a user at a provider, which gives a connection its token (RFC 6749 §4.1). */
export class OAuthConnect {
  readonly #options: OAuthConnectOptions;

  constructor(options: OAuthConnectOptions) {
    this.#options = options;
  }

  /**
   * Finds the connection of a connect path.
   * @throws 404 if there is none, or without permission
   */
  async find(actor: UserActor, uuid: string, organization: string): Promise<OAuthClientView> {
    const { clients } = this.#options;
    for (let number = 1; ; number++) {
      const page = { number, size: PAGE, offset: (number - 1) * PAGE };
      const { items, total } = await clients.list(actor, organization, page);
      const found = items.find(({ id }) => uuidOf(id) === uuid);
      if (found !== undefined) return await clients.managed(actor, found.id);
      if (page.offset + items.length >= total || items.length === 0) throw new AppError('not-found', NO_CONNECTION);
    }
  }

  /**
   * Starts a sign-in. Returns the URL of the provider.
   * @throws 404 as `find`, 422 if the connection has no OAuth application
   */
  async begin(actor: UserActor, client: OAuthClientView, origin: string): Promise<string> {
    const { flow, app } = await this.#appOf(client);
    const { state, challenge } = await this.#options.authorizations.start(actor, 'oauth-client', client.id);
    const redirectUri = `${origin}${callbackPath(client.id)}`;
    return flow.authorizeUrl(app, { state, redirectUri, challenge: flow.hasPkce ? challenge : null });
  }

  /**
   * Ends a sign-in: the connection gets the token, under the id that it had before.
   * @throws 403 if the state is not of this session and connection, or the provider refuses; 404 without permission
   */
  async finish(actor: UserActor, uuid: string, came: CameBack, origin: string): Promise<OAuthClientView> {
    const { authorizations, clients, connections, checks, database } = this.#options;
    const returned = await authorizations.take(actor, 'oauth-client', came.state);
    if (returned === undefined || uuidOf(returned.subjectId) !== uuid) throw refusal();
    const client = await clients.managed(actor, returned.subjectId);
    const code = codeOf(came);
    const { flow, app, http } = await this.#appOf(client);
    const redirectUri = `${origin}${callbackPath(client.id)}`;
    const verifier = flow.hasPkce ? returned.verifier : null;
    const grant = await whileSigningIn(() => flow.exchange(app, { code, redirectUri, verifier }, http));
    const tokenId = await this.#store(client, grant);
    const connection = await connections.find(database, tokenId);
    if (connection !== undefined) await checks.checkNow(connection);
    return await clients.managed(actor, client.id);
  }

  async #store(client: OAuthClientView, grant: OAuthGrant): Promise<string> {
    const { clock, credentials, database } = this.#options;
    const now = clock();
    return await database.transaction(async (tx) => {
      const claimed = await store.claimClient(tx, client.id);
      const current = await store.findClient(tx, client.id);
      // The token must not go to other URLs or agents than those at which the user has signed in.
      const isSame = current !== undefined && !isMoved(client, current);
      if (claimed === undefined || !isSame) throw refusal('The connection was changed meanwhile. Start again');
      const known = await store.firstTokenId(tx, client.id);
      const tokenId = known ?? prefixedId('ot', now);
      const token = credentials.sealed(tokenId, grant, now);
      if (known === undefined) {
        const { id: oauthClientId, organizationId, apiUrl } = client;
        const row = { id: tokenId, oauthClientId, organizationId, createdAt: now };
        await store.insertTokenOf(tx, row, targetOf(apiUrl), token.token);
      }
      await overwriteToken(tx, tokenId, token, now);
      return tokenId;
    });
  }

  async #appOf(client: OAuthClientView) {
    const { database, flowOf, httpFor, sealing } = this.#options;
    const { apiUrl, httpUrl, serviceProvider, key, entraTenantId: tenant } = client;
    const flow = flowOf(serviceProvider);
    const sealed = await store.findSecrets(database, client.id);
    const { secret } = sealed === undefined ? {} : sealing.openSecrets(client.id, sealed);
    if (flow === undefined) throw new AppError('unprocessable', 'The provider has no OAuth sign-in. Use a token');
    if (!key || !secret) throw new AppError('unprocessable', NO_APPLICATION);
    const http = httpFor(client);
    return { flow, http, app: { httpUrl, apiUrl, key, secret, ...(tenant && { tenant }) } };
  }
}
