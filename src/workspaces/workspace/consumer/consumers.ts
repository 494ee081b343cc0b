import type { Issue } from '../../../lib/errors.ts';
import type { Database, Transaction } from '../../../storage/index.ts';
import { notFound, unprocessable } from '../../jsonapi/errors.ts';
import type { Page, Slice } from '../../jsonapi/pagination.ts';
import type { Actor, Organizations } from '../../tenancy/index.ts';
import { visibleIn } from '../list/scope.ts';
import { EVERYTHING, listWorkspaces } from '../list/store.ts';
import type { WorkspaceFinder } from '../model/finder.ts';
import type { WorkspacePlacement } from '../model/placement.ts';
import * as store from '../model/store.ts';
import type { Workspace, WorkspaceView } from '../model/workspace.ts';
import * as consumerStore from './store.ts';

/** Manages the remote state consumers of a workspace: the workspaces that may read its state (spec §4.9). */
export class RemoteStateConsumers {
  readonly #database: Database;
  readonly #finder: WorkspaceFinder;
  readonly #organizations: Organizations;
  readonly #placement: WorkspacePlacement;

  constructor(
    database: Database,
    finder: WorkspaceFinder,
    parts: { readonly organizations: Organizations; readonly placement: WorkspacePlacement },
  ) {
    this.#database = database;
    this.#finder = finder;
    this.#organizations = parts.organizations;
    this.#placement = parts.placement;
  }

  /**
   * Returns the consumers that the actor can see. If the workspace shares its state with the whole organization or
   * project, these are all other workspaces in it; otherwise the named consumers. `namedOnly` always returns the named
   * ones.
   */
  async list(actor: Actor, id: string, page: Page, namedOnly = false): Promise<Slice<WorkspaceView>> {
    const workspace = await this.#finder.find(actor, { id }, 'can-read-settings');
    const { items, total } = await this.#consumers(actor, workspace, page, namedOnly);
    return { items: await this.#finder.viewsFor(actor, workspace.organizationId, items), total };
  }

  /**
   * Adds consumers. Existing consumers stay. @throws 404, 422 for one that the actor may not read, or the workspace
   * itself
   */
  async add(actor: Actor, id: string, consumers: readonly string[]): Promise<void> {
    const workspace = await this.#changeable(actor, id, consumers);
    await this.#change(workspace, async (tx) => {
      for (const consumer of inOrder(consumers)) await consumerStore.addConsumer(tx, id, consumer);
    });
  }

  /** Removes consumers and ignores workspaces that are not consumers. @throws as `add` */
  async remove(actor: Actor, id: string, consumers: readonly string[]): Promise<void> {
    const workspace = await this.#changeable(actor, id, consumers);
    await this.#change(workspace, async (tx) => {
      for (const consumer of inOrder(consumers)) await consumerStore.removeConsumer(tx, id, consumer);
    });
  }

  /**
   * Replaces all consumers. Requires the right to manage every workspace of the organization (spec §5). @throws as
   * `add`
   */
  async replace(actor: Actor, id: string, consumers: readonly string[]): Promise<void> {
    const workspace = await this.#changeable(actor, id, consumers);
    await this.#organizations.find(actor, workspace.organizationName, 'can-create-workspace');
    await this.#change(workspace, async (tx) => {
      await consumerStore.removeAllConsumers(tx, id);
      for (const consumer of inOrder(consumers)) await consumerStore.addConsumer(tx, id, consumer);
    });
  }

  async #consumers(actor: Actor, workspace: Workspace, page: Page, namedOnly: boolean): Promise<Slice<Workspace>> {
    const { organizationId, organizationName, settings } = workspace;
    const organization = await this.#organizations.find(actor, organizationName, 'can-traverse');
    const scope = {
      organizationId,
      projectId: undefined,
      grant: organization.grant,
      count: organization.workspaceCount,
    };
    if (!namedOnly && settings['global-remote-state']) return this.#others(workspace, scope, page);
    if (!namedOnly && settings['project-remote-state']) {
      const project = await this.#placement.readable(actor, organizationId, workspace.projectId);
      if (project === undefined) return { items: [], total: 0 };
      return this.#others(workspace, { ...scope, projectId: project.id, count: project.workspaceCount }, page);
    }
    return consumerStore.listConsumers(this.#database, workspace.id, await visibleIn(this.#database, scope), page);
  }

  /**
   * Returns a page of all workspaces in the scope except this one. The list contains this one, so each page is read
   * with one more row.
   */
  async #others(
    { name }: Workspace,
    scope: Parameters<typeof listWorkspaces>[1],
    page: Page,
  ): Promise<Slice<Workspace>> {
    const { items, total } = await listWorkspaces(this.#database, scope, EVERYTHING, { ...page, size: page.size + 1 });
    const others = items.filter((item) => item.name !== name);
    const [first] = items;
    const before = others.length === items.length && first !== undefined && first.name > name;
    return { items: before ? others.slice(1) : others.slice(0, page.size), total: total - 1 };
  }

  async #changeable(actor: Actor, id: string, consumers: readonly string[]): Promise<WorkspaceView> {
    const workspace = await this.#finder.find(actor, { id }, 'can-update');
    if (workspace.settings['global-remote-state']) {
      throw unprocessable([{ detail: 'Consumers cannot be chosen while all workspaces may read the remote state' }]);
    }
    const known = await this.#finder.readable(actor, workspace.organizationId, consumers);
    const readable = new Set(known.map((consumer) => consumer.id));
    const issues = consumers.flatMap((consumer, index): Issue[] => {
      const pointer = `/data/${index}/id`;
      if (consumer === id) return [{ detail: 'A workspace cannot be a consumer of itself', pointer }];
      return readable.has(consumer) ? [] : [{ detail: 'Workspace not found', pointer }];
    });
    if (issues.length > 0) throw unprocessable(issues);
    return workspace;
  }

  /** Serializes changes by a lock on the workspace's row. Nothing else of the workspace changes. */
  async #change({ id }: WorkspaceView, work: (tx: Transaction) => Promise<void>): Promise<void> {
    await this.#database.transaction(async (tx) => {
      if ((await store.holdWorkspace(tx, id)) === undefined) throw notFound();
      await work(tx);
    });
  }
}

/** A fixed order prevents deadlocks between transactions. */
function inOrder(ids: readonly string[]): string[] {
  return [...new Set(ids)].toSorted();
}
