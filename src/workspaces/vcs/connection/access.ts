import type { Clock } from '../../../lib/clock.ts';
import type { Database, Queries } from '../../../storage/index.ts';
import type { Credential, ProviderAccess, ProviderHttp } from '../provider/port.ts';
import { findConnection } from './access-store.ts';
import { type Connection, type HttpPlace, isInstallation } from './connection.ts';
import type { Credentials } from './credentials.ts';
import { scheduleCheck } from './health/health-store.ts';

/** Restriction of an access. Only installations of GitHub Apps have narrower tokens. */
export interface AccessOptions {
  /** `read`: refs, commits, pull requests. `report`: statuses, check runs, comments. Default: `read`. */
  readonly purpose?: 'read' | 'report' | undefined;
  /** Provider's ids of the repositories; default: all. */
  readonly repositoryIds?: readonly string[] | undefined;
  /** Claim of the connection's row that the caller has already. */
  readonly held?: string | undefined;
}

export interface ConnectionsOptions {
  readonly database: Database;
  readonly clock: Clock;
  readonly credentials: Pick<Credentials, 'current'>;
  /** Tokens of installations of GitHub Apps. */
  readonly installations: { token(installationId: string, options: AccessOptions): Promise<Credential> };
  /** Returns the HTTP client for requests to the API of a connection. */
  readonly httpFor: (place: HttpPlace) => ProviderHttp;
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
  async access(connection: HttpPlace, options: AccessOptions = {}): Promise<ProviderAccess> {
    const { id, apiUrl, httpUrl } = connection;
    const { credentials, installations, httpFor } = this.#options;
    const credential = isInstallation(id)
      ? await installations.token(id, options)
      : await credentials.current(id, options.held);
    return { apiUrl, httpUrl, credential, http: httpFor(connection) };
  }

  /** Lets the server check a connection soon, because a provider has refused a request with it. */
  async checkSoon(connectionId: string): Promise<void> {
    await scheduleCheck(this.#options.database, connectionId, this.#options.clock());
  }
}
