import { GitError, type GitRemote, type GitTransport } from '../../../git/index.ts';
import type { Queries } from '../../../storage/index.ts';
import type { Connections } from '../connection/access.ts';
import { mayFetchSubmodule, mayFollow } from '../connection/allowed-repositories.ts';
import type { Connection } from '../connection/connection.ts';
import type { ProviderAccess } from '../provider/port.ts';
import { findProviderKind, type ProviderKind } from '../provider/providers.ts';
import { type GitTransportOptions, gitTransport } from './git-transport.ts';
import type { Repository } from './repository.ts';

/** A connection with access to its provider. */
export interface OpenedConnection {
  readonly connection: Connection;
  readonly kind: ProviderKind;
  readonly access: ProviderAccess;
  /**
   * Returns the repository at its Git server.
   * @throws GitError `refused` if the connection is limited to other repositories
   */
  remote(repository: Pick<Repository, 'gitUrl' | 'identifier'>): GitRemote;
}

/** Reason why a connection is not used. unused: it was never checked. gone: it was deleted. */
export type Unusable = 'unchecked' | 'gone';

/** A repository at a Git server, and how it and its submodules are reached. */
export interface RemotePlace {
  /** Id of the organization, for which work is limited. */
  readonly owner: string;
  readonly url: string;
  readonly transport: GitTransport;
  /** Returns the transport to a submodule on the same host. */
  openTransport(url: string): GitTransport;
}

export interface OpenerOptions extends GitTransportOptions {
  readonly connections: Connections;
  /** Creates the client of Git's protocol. */
  readonly createRemote: (place: RemotePlace) => GitRemote;
}

const NOT_ALLOWED =
  'The connection is limited to other repositories. Its owners can allow this one (allowed-repositories)';

/** Opens connections for the server's own work. It checks no permission. */
export class ConnectionOpener {
  readonly #options: OpenerOptions;

  constructor(options: OpenerOptions) {
    this.#options = options;
  }

  /** Lets the server check a connection soon, because a provider has refused a request with it. */
  checkSoon(connectionId: string): Promise<void> {
    return this.#options.connections.checkSoon(connectionId);
  }

  /** Returns the kind of the provider of a connection; undefined if it was deleted. */
  async serviceProviderOf(db: Queries, connectionId: string): Promise<string | undefined> {
    return (await this.#options.connections.find(db, connectionId))?.serviceProvider;
  }

  /** Returns whether a connection exists that may follow the repository now. */
  async mayFollow(db: Queries, connectionId: string, identifier: string): Promise<boolean> {
    const connection = await this.#options.connections.find(db, connectionId);
    return connection !== undefined && mayFollow(connection, identifier);
  }

  /**
   * Opens a connection. One that was never checked is not used, because its token may be a dummy.
   * @throws ProviderError if it has no valid credential
   */
  async open(db: Queries, connectionId: string): Promise<OpenedConnection | Unusable> {
    const { connections, createRemote } = this.#options;
    const connection = await connections.find(db, connectionId);
    if (connection === undefined) return 'gone';
    if (connection.status === 'unverified') return 'unchecked';
    const access = await connections.access(connection);
    const kind = findProviderKind(connection.serviceProvider, access.credential.kind);
    if (kind === undefined) return 'gone';
    const credentials = kind.provider.gitCredentials(access.credential);
    const openTransport = (url: string) => gitTransport(this.#options, url, credentials);
    const owner = connection.organizationId;
    return {
      ...{ connection, kind, access },
      // Owners may have limited the connection, or the repository may have got another name, since it was followed.
      remote: (repository) => {
        if (!mayFollow(connection, repository.identifier)) throw new GitError('refused', NOT_ALLOWED);
        const { gitUrl: url } = repository;
        const submodule = (of: string) =>
          mayFetchSubmodule(connection, repository, of) ? openTransport(of) : refusedTransport;
        return createRemote({ owner, url, transport: openTransport(url), openTransport: submodule });
      },
    };
  }
}

const refusedTransport: GitTransport = async () => {
  throw new GitError('refused', NOT_ALLOWED);
};
