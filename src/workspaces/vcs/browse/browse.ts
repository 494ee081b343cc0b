import { GitError, type GitRemote } from '../../../git/git-remote.ts';
import type { Database } from '../../../storage/index.ts';
import { notFound, unprocessable } from '../../jsonapi/errors.ts';
import { Trials } from '../../platform/trials.ts';
import { type Actor, type Organizations, requireInOrganization } from '../../tenancy/index.ts';
import type { Connections } from '../connection/access.ts';
import { mayFollow } from '../connection/allowed-repositories.ts';
import type { Connection } from '../connection/connection.ts';
import type { ProviderAccess, ProviderRepository, RepositoryPage } from '../provider/port.ts';
import { ProviderError } from '../provider/provider-error.ts';
import { findProviderKind } from '../provider/providers.ts';
import type { ConnectionOpener } from '../repository/opened.ts';

const READING = ['can-update-oauth', 'can-create-workspace'] as const;
/** @limit pages of repositories in which the server looks for organizations of a provider, pages -> further ones are left out */
const MOST_PAGES = 5;
/** @limit branches of a repository in one answer, branches -> the others are found by a search */
const MOST_BRANCHES = 100;
const HEADS = 'refs/heads/';
/** @limit folders of a repository in one answer, folders -> the others are left out */
const MOST_FOLDERS = 10_000;
const NOT_ALLOWED = 'The connection is limited to other repositories (allowed-repositories)';
const NO_REPOSITORY = 'The provider has no such repository, or the connection may not read it';
const UNVERIFIED = 'The connection was never checked. A user who may manage VCS settings checks it first';

export interface BrowseOptions {
  readonly database: Database;
  readonly organizations: Organizations;
  readonly connections: Connections;
  readonly opener: ConnectionOpener;
}

/** A branch of a repository. */
export interface Branch {
  readonly name: string;
  readonly isDefault: boolean;
}

/** Choice of a repository, for those who configure workspaces: what a connection can read at its provider. */
export class Browse {
  readonly #options: BrowseOptions;
  readonly #trials = new Trials();

  constructor(options: BrowseOptions) {
    this.#options = options;
  }

  /**
   * Lists repositories that workspaces may follow, one page of the provider.
   * @throws 404 without permission, 422 if the provider does not respond
   */
  async repositories(
    actor: Actor,
    connectionId: string,
    query: { readonly search: string; readonly organization?: string | undefined; readonly page: number },
  ): Promise<RepositoryPage> {
    const connection = await this.#find(actor, connectionId);
    return this.#ask(connection, async (access) => {
      const page = await kindOf(connection, access).provider.repositories(access, query);
      return { ...page, items: page.items.filter(({ identifier }) => mayFollow(connection, identifier)) };
    });
  }

  /**
   * Lists the owners of the repositories that a connection can read.
   * @throws as `repositories`
   */
  async owners(actor: Actor, connectionId: string): Promise<string[]> {
    const connection = await this.#find(actor, connectionId);
    return this.#ask(connection, async (access) => {
      const { provider } = kindOf(connection, access);
      const names = new Set<string>();
      let page: number | null = 1;
      for (let pages = 0; page !== null && pages < MOST_PAGES; pages++) {
        const found: RepositoryPage = await provider.repositories(access, { search: '', page });
        for (const { identifier } of found.items) names.add(ownerOf(identifier));
        page = found.nextPage;
      }
      return [...names].toSorted();
    });
  }

  /**
   * Finds a repository by its identifier. Returns undefined if workspaces may not follow it.
   * @throws as `repositories`
   */
  async repository(
    actor: Actor,
    organization: string,
    connectionId: string,
    identifier: string,
  ): Promise<ProviderRepository | undefined> {
    const connection = await this.#findIn(actor, organization, connectionId);
    return this.#ask(connection, (access) => followable(connection, access, identifier));
  }

  /**
   * Lists the folders of a branch, sorted.
   * @param branch empty: the default branch
   * @throws 404 without permission, 422 if there is no such repository or branch, or the provider does not respond
   */
  async folders(
    actor: Actor,
    organization: string,
    connectionId: string,
    { identifier, branch }: { readonly identifier: string; readonly branch: string },
  ): Promise<string[]> {
    return this.open(actor, organization, connectionId, identifier, async (_, remote) => {
      const commitId = await headOf(remote, branch);
      if (commitId === undefined)
        throw unprocessable([{ detail: `The repository has no branch ${branch || 'at all'}` }]);
      return (await remote.folders(commitId)).slice(0, MOST_FOLDERS);
    });
  }

  /**
   * Lists branches whose names contain a text, the default branch first, the others by name.
   * @param search case does not count; empty: all
   * @throws as `folders`
   */
  async branches(
    actor: Actor,
    organization: string,
    connectionId: string,
    { identifier, search }: { readonly identifier: string; readonly search: string },
  ): Promise<Branch[]> {
    return this.open(actor, organization, connectionId, identifier, async ({ defaultBranch }, remote) => {
      const names = (await remote.refs([HEADS])).map(({ name }) => name.slice(HEADS.length));
      const found = names.filter((name) => name.toLowerCase().includes(search.toLowerCase()));
      const branches = found.map((name) => ({ name, isDefault: name === defaultBranch }));
      const ofDefault = ({ isDefault }: Branch) => Number(isDefault);
      const order = new Intl.Collator('en', { numeric: true });
      return branches
        .toSorted((a, b) => ofDefault(b) - ofDefault(a) || order.compare(a.name, b.name))
        .slice(0, MOST_BRANCHES);
    });
  }

  /**
   * Runs work on a repository that workspaces may follow.
   * @throws as `folders`
   */
  async open<T>(
    actor: Actor,
    organization: string,
    connectionId: string,
    identifier: string,
    work: (repository: ProviderRepository, remote: GitRemote) => Promise<T>,
  ): Promise<T> {
    const connection = await this.#findIn(actor, organization, connectionId);
    return this.#ask(connection, async (access) => {
      const repository = await followable(connection, access, identifier);
      if (repository === undefined) throw unprocessable([{ detail: NO_REPOSITORY }]);
      const opened = await this.#options.opener.open(this.#options.database, connection.id);
      if (typeof opened === 'string') throw unprocessable([{ detail: UNVERIFIED }]);
      return work(repository, opened.remote(repository));
    });
  }

  async #find(actor: Actor, connectionId: string): Promise<Connection> {
    const connection = await this.#options.connections.find(this.#options.database, connectionId);
    if (connection === undefined) throw notFound();
    requireInOrganization(actor, connection.organizationId, ...READING);
    return connection;
  }

  async #findIn(actor: Actor, organization: string, connectionId: string): Promise<Connection> {
    const { id } = await this.#options.organizations.find(actor, organization, 'can-traverse');
    const connection = await this.#find(actor, connectionId);
    if (connection.organizationId !== id) throw notFound();
    return connection;
  }

  /** Runs requests for whose result a user waits. */
  #ask<T>(connection: Connection, request: (access: ProviderAccess) => Promise<T>): Promise<T> {
    return this.#trials.run(connection.organizationId, connection.apiUrl, async () => {
      try {
        return await request(await this.#options.connections.access(connection));
      } catch (error) {
        if (!(error instanceof ProviderError || error instanceof GitError)) throw error;
        if (error.kind === 'refused') await this.#options.connections.checkSoon(connection.id);
        throw unprocessable([{ detail: error.message }]);
      }
    });
  }
}

function kindOf({ serviceProvider }: Connection, { credential }: ProviderAccess) {
  const kind = findProviderKind(serviceProvider, credential.kind);
  if (kind === undefined) throw new ProviderError('rejected', 'This server cannot use the provider');
  return kind;
}

async function followable(connection: Connection, access: ProviderAccess, identifier: string) {
  const found = await kindOf(connection, access).provider.repository(access, { identifier });
  if (found !== undefined && !mayFollow(connection, found.identifier)) throw unprocessable([{ detail: NOT_ALLOWED }]);
  return found;
}

const ownerOf = (identifier: string): string => identifier.split('/')[0] ?? identifier;

async function headOf(remote: GitRemote, branch: string): Promise<string | undefined> {
  const name = branch === '' ? 'HEAD' : `refs/heads/${branch}`;
  return (await remote.refs([name])).find((ref) => ref.name === name)?.commitId;
}
