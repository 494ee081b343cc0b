import type { Database, Keyring, Queries } from '../../../storage/index.ts';
import type { Credential, ProviderAccess, ProviderHttp } from '../provider/port.ts';
import { ProviderError } from '../provider/provider-error.ts';
import { findConnection, findStoredToken, isInstallation } from './access-store.ts';
import type { Connection } from './connection.ts';

export interface ConnectionsOptions {
  readonly database: Database;
  readonly keyring: Keyring;
  /** Returns the HTTP client for requests to the API of a connection. */
  readonly httpFor: (connection: Pick<Connection, 'id' | 'apiUrl' | 'httpUrl'>) => ProviderHttp;
}

/** Gives other parts access to the providers of connections. It checks no permission. */
export class Connections {
  readonly #options: ConnectionsOptions;

  constructor(options: ConnectionsOptions) {
    this.#options = options;
  }

  /** Finds a connection by the id of a token (`ot-…`) or of an installation of a GitHub App (`ghain-…`). */
  find(db: Queries, connectionId: string): Promise<Connection | undefined> {
    return findConnection(db, connectionId);
  }

  /**
   * Returns the access to the provider, with a token that is valid for some minutes. Call it outside of transactions.
   * @throws ProviderError `refused` if the connection has no usable token, and others if a refresh of the token fails
   */
  async access(connection: Connection): Promise<ProviderAccess> {
    const { apiUrl, httpUrl } = connection;
    return { apiUrl, httpUrl, credential: await this.#credential(connection), http: this.#options.httpFor(connection) };
  }

  async #credential({ id }: Connection): Promise<Credential> {
    if (isInstallation(id)) throw new ProviderError('refused', 'The GitHub App is not installed');
    const stored = await findStoredToken(this.#options.database, id);
    if (stored === undefined) throw new ProviderError('refused', 'The connection was deleted');
    const token = Buffer.from(this.#options.keyring.decrypt(stored.token, `oauth-token/${id}`)).toString();
    return { kind: stored.kind, token };
  }
}
