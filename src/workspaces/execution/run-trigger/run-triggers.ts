import type { Clock } from '../../../lib/clock.ts';
import { prefixedId } from '../../../lib/ids.ts';
import type { Database, Transaction } from '../../../storage/index.ts';
import { notFound, unprocessable } from '../../jsonapi/errors.ts';
import type { Page, Slice } from '../../jsonapi/pagination.ts';
import type { Actor, WorkspacePermission } from '../../tenancy/index.ts';
import type { WorkspaceFinder, WorkspaceView } from '../../workspace/index.ts';
import type { Direction, RunTrigger } from './store.ts';
import * as store from './store.ts';

export type { Direction, RunTrigger } from './store.ts';

/**
 * Source workspaces of one workspace.
 * @limit source workspaces of a workspace for run triggers, workspaces -> 422
 */
const MAX_SOURCES = 20;
const POINTER = '/data/relationships/sourceable';

/** Run triggers: applied runs of one workspace start runs of another. */
export class RunTriggers {
  readonly #database: Database;
  readonly #clock: Clock;
  readonly #workspaces: WorkspaceFinder;

  constructor(database: Database, clock: Clock, workspaces: WorkspaceFinder) {
    this.#database = database;
    this.#clock = clock;
    this.#workspaces = workspaces;
  }

  /**
   * Returns the triggers into a workspace, or those out of it whose target the actor may see.
   * @throws 404 without permission
   */
  async list(actor: Actor, workspaceId: string, direction: Direction, page: Page): Promise<Slice<RunTrigger>> {
    const { organizationId } = await this.#workspaces.find(actor, { id: workspaceId }, 'can-read-settings');
    const { items, total } = await store.listRunTriggers(this.#database, workspaceId, direction, page);
    if (direction === 'inbound') return { items, total };
    const ids = items.map((trigger) => trigger.workspaceId);
    const seen = new Set((await this.#workspaces.readable(actor, organizationId, ids)).map(({ id }) => id));
    return { items: items.filter((trigger) => seen.has(trigger.workspaceId)), total };
  }

  /**
   * Finds a trigger.
   * @throws 404 if it does not exist, or the actor may not see its workspace
   */
  show(actor: Actor, id: string): Promise<RunTrigger> {
    return this.#find(actor, id, 'can-read-settings');
  }

  /**
   * Creates a trigger.
   * @throws 404 unless the actor administers the workspace; 422 for a source that the actor may not see, that is the
   *   workspace itself, or that is already a source, and for too many sources
   */
  async create(actor: Actor, workspaceId: string, sourceId: string): Promise<RunTrigger> {
    const workspace = await this.#workspaces.find(actor, { id: workspaceId }, 'can-update');
    const source = await this.#source(actor, workspace, sourceId);
    const now = this.#clock();
    const trigger = { id: prefixedId('rt', now), workspaceId, sourceId: source.id, createdAt: now };
    await this.#database.transaction(async (tx) => {
      if ((await store.sourcesOf(tx, workspaceId)) >= MAX_SOURCES) {
        throw refused(`A workspace can have at most ${MAX_SOURCES} source workspaces. Delete a run trigger first`);
      }
      if ((await store.insertRunTrigger(tx, trigger)) === undefined) throw refused('Sourceable has already been taken');
    });
    return this.show(actor, trigger.id);
  }

  /** Deletes a trigger. @throws 404 unless the actor administers the workspace */
  async delete(actor: Actor, id: string): Promise<void> {
    await this.#find(actor, id, 'can-update');
    await store.removeRunTrigger(this.#database, id);
  }

  /** Returns the workspaces of these triggers that the actor may see. */
  async relatedWorkspaces(
    actor: Actor,
    triggers: readonly RunTrigger[],
    ends: ReadonlySet<'workspace' | 'sourceable'>,
  ) {
    const ids = triggers.flatMap(({ workspaceId, sourceId }) => [
      ...(ends.has('workspace') ? [workspaceId] : []),
      ...(ends.has('sourceable') ? [sourceId] : []),
    ]);
    const [first] = triggers;
    if (first === undefined || ids.length === 0) return [];
    return this.#workspaces.readable(actor, first.organizationId, [...new Set(ids)]);
  }

  /** Returns the workspaces in which an applied run of this workspace starts runs. */
  outboundOf(tx: Transaction, sourceId: string, most: number): Promise<RunTrigger[]> {
    return store.outboundOf(tx, sourceId, most);
  }

  async #source(actor: Actor, workspace: WorkspaceView, sourceId: string): Promise<WorkspaceView> {
    const [source] = await this.#workspaces.readable(actor, workspace.organizationId, [sourceId]);
    if (!source?.permissions['can-read-run']) throw refused('Sourceable not found');
    if (source.id === workspace.id) throw refused('Sourceable cannot be the workspace itself');
    return source;
  }

  async #find(actor: Actor, id: string, permission: WorkspacePermission): Promise<RunTrigger> {
    const trigger = await store.findRunTrigger(this.#database, id);
    if (trigger === undefined) throw notFound();
    await this.#workspaces.find(actor, { id: trigger.workspaceId }, permission);
    return trigger;
  }
}

function refused(detail: string) {
  return unprocessable([{ detail, pointer: POINTER }]);
}
