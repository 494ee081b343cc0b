import type { Clock } from '../../../lib/clock.ts';
import type { Database } from '../../../storage/index.ts';
import { conflict, notFound } from '../../jsonapi/errors.ts';
import type { Page, Slice } from '../../jsonapi/pagination.ts';
import { type Actor, type Organizations, requireInOrganization } from '../../tenancy/index.ts';
import type { WorkspaceFinder } from '../../workspace/index.ts';
import type { Installations } from '../connection/app/installations.ts';
import type { OAuthClients } from '../connection/clients.ts';
import type { OAuthClientView } from '../connection/connection.ts';
import type { Hook, StoredDelivery } from '../hook/hook.ts';
import type { HookKeeper } from '../hook/keeper.ts';
import { hooksOf, listDeliveries } from '../hook/store.ts';
import { countLinks, countLinksOfEach, findLink } from '../link/store.ts';
import type { ConnectionOpener } from '../repository/opened.ts';
import type { Repositories } from '../repository/repositories.ts';
import type { Repository } from '../repository/repository.ts';
import { findRepository, listRepositories } from '../repository/store.ts';
import * as store from './store.ts';

const NO_REPOSITORY = 'The workspace follows no repository yet. Check its VCS settings';

/** Dependencies of `VcsActivity`. */
export interface VcsActivityOptions {
  readonly database: Database;
  readonly clock: Clock;
  readonly organizations: Organizations;
  readonly clients: OAuthClients;
  readonly installations: Installations;
  readonly workspaces: WorkspaceFinder;
  readonly repositories: Repositories;
  readonly hooks: HookKeeper;
  readonly opener: ConnectionOpener;
}

/** A repository and its webhook. */
export interface RepositoryView {
  readonly repository: Repository;
  readonly hook: Hook | undefined;
  /** Number of workspaces that follow it. */
  readonly workspaces: number;
}

/** How the server follows the repository of a workspace. */
export interface LinkView {
  readonly workspaceId: string;
  readonly link: store.ShownLink;
  /** Undefined until it is found at its provider. */
  readonly repository: Repository | undefined;
  readonly hook: Hook | undefined;
  readonly showsUrl: boolean;
}

/** Shows repositories, their events and deliveries, and lets users ask for a look-up. */
export class VcsActivity {
  readonly #options: VcsActivityOptions;

  constructor(options: VcsActivityOptions) {
    this.#options = options;
  }

  /** Returns the events of an organization. @throws 404 without the right to manage VCS settings */
  async events(actor: Actor, organizationName: string, filter: store.EventFilter, page: Page) {
    const { database, organizations } = this.#options;
    const { id } = await organizations.find(actor, organizationName, 'can-update-oauth');
    return store.listEvents(database, id, filter, page);
  }

  /** Returns the connections of events that the actor may see. */
  async clientsOf(actor: Actor, events: readonly store.ShownEvent[]): Promise<OAuthClientView[]> {
    const ids = [...new Set(events.flatMap(({ oauthClientId }) => oauthClientId ?? []))];
    return Promise.all(ids.map((id) => this.#options.clients.find(actor, id)));
  }

  /** Returns the events of a workspace with its verdicts. @throws 404 without permission */
  async eventsOf(actor: Actor, workspaceId: string, page: Page): Promise<Slice<store.JudgedEvent>> {
    const { database, workspaces } = this.#options;
    await workspaces.find(actor, { id: workspaceId }, 'can-read-settings');
    return store.listJudged(database, workspaceId, page);
  }

  /**
   * Returns how the server follows the repository of a workspace. Only users who may change settings see the webhook.
   * @throws 404 without permission, or if the workspace follows none
   */
  async linkOf(actor: Actor, workspaceId: string): Promise<LinkView> {
    const { database, hooks, workspaces } = this.#options;
    const { permissions } = await workspaces.find(actor, { id: workspaceId }, 'can-read-settings');
    const link = await store.findShownLink(database, workspaceId);
    if (link === undefined) throw notFound();
    const { repositoryId } = link;
    const repository = repositoryId === null ? undefined : await findRepository(database, repositoryId);
    const hook = repository && (await hooks.find(database, repository.id));
    return { workspaceId, link, repository, hook, showsUrl: permissions['can-update'] };
  }

  /** Makes a look-up of the repository of a workspace due. @throws 404 without permission, 409 without a repository */
  async lookUpOf(actor: Actor, workspaceId: string): Promise<void> {
    const { clock, database, repositories, workspaces } = this.#options;
    await workspaces.find(actor, { id: workspaceId }, 'can-queue-run');
    await database.transaction(async (tx) => {
      const link = await findLink(tx, workspaceId);
      if (!link?.repositoryId) throw conflict(link?.problem ?? NO_REPOSITORY);
      await repositories.wake(tx, link.repositoryId, clock());
    });
  }

  /** Returns the repositories that workspaces follow by a connection. @throws 404 without permission */
  async repositoriesOf(actor: Actor, clientId: string, page: Page): Promise<Slice<RepositoryView>> {
    const { tokenIds } = await this.#options.clients.managed(actor, clientId);
    return this.#repositoriesBy(tokenIds, page);
  }

  /** Returns the repositories that workspaces follow by an installation. @throws 404 without permission */
  async repositoriesOfInstallation(actor: Actor, id: string, page: Page): Promise<Slice<RepositoryView>> {
    const { organizationId } = await this.#options.installations.find(actor, id);
    requireInOrganization(actor, organizationId, 'can-update-oauth');
    return this.#repositoriesBy([id], page);
  }

  async #repositoriesBy(connectionIds: readonly string[], page: Page): Promise<Slice<RepositoryView>> {
    const { database } = this.#options;
    const { items, total } = await listRepositories(database, connectionIds, page);
    const ids = items.map(({ id }) => id);
    const hooks = await hooksOf(database, ids);
    const counts = await countLinksOfEach(database, ids);
    const views = items.map((repository) => ({
      repository,
      hook: hooks.find(({ repositoryId }) => repositoryId === repository.id),
      workspaces: counts.find(({ repositoryId }) => repositoryId === repository.id)?.count ?? 0,
    }));
    return { items: views, total };
  }

  /** Finds a repository. @throws 404 without the right to manage VCS settings */
  async repository(actor: Actor, id: string): Promise<RepositoryView> {
    const { database, hooks } = this.#options;
    const repository = await findRepository(database, id);
    if (repository === undefined) throw notFound();
    requireInOrganization(actor, repository.organizationId, 'can-update-oauth');
    return { repository, hook: await hooks.find(database, id), workspaces: await countLinks(database, id) };
  }

  /** Makes a look-up due now. @throws 404 without permission */
  async lookUp(actor: Actor, id: string): Promise<RepositoryView> {
    const { clock, database, repositories } = this.#options;
    await this.repository(actor, id);
    await database.transaction((tx) => repositories.wake(tx, id, clock()));
    return this.repository(actor, id);
  }

  /**
   * Replaces the secret of the webhook, and returns it once, for a user who makes the webhook by hand.
   * @throws 404 without permission, 409 without a usable connection
   */
  async renewSecret(actor: Actor, id: string): Promise<RepositoryView & { readonly secret: string }> {
    const { clock, database, hooks, repositories } = this.#options;
    const { repository } = await this.repository(actor, id);
    const serviceProvider = await this.#options.opener.serviceProviderOf(database, repository.connectionId);
    if (serviceProvider === undefined) throw conflict('The connection of the repository was deleted');
    const { secret } = await database.transaction(async (tx) => {
      const now = clock();
      await repositories.wake(tx, id, now);
      return hooks.renewSecret(tx, repository, serviceProvider, now);
    });
    return { ...(await this.repository(actor, id)), secret };
  }

  /** Returns the deliveries of the webhook of a repository. @throws 404 without permission */
  async deliveries(actor: Actor, id: string, page: Page): Promise<Slice<StoredDelivery>> {
    await this.repository(actor, id);
    return listDeliveries(this.#options.database, id, page);
  }

  /** URL of a webhook; null without a configured URL of this server. */
  hookUrlOf(hook: Hook | undefined): string | null {
    return this.#options.hooks.urlOf(hook);
  }
}
