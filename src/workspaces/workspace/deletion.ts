import { AppError } from '../../lib/errors.ts';
import type { Database } from '../../storage/index.ts';
import { conflict, notFound } from '../jsonapi/errors.ts';
import type { Actor } from '../permissions/actor.ts';
import type { WorkspaceFinder } from './finder.ts';
import type { WorkspacePlaces } from './places.ts';
import * as store from './store.ts';
import * as tagStore from './tag-store.ts';
import type { WorkspaceRef, WorkspaceView } from './workspace.ts';

/** Official clients tell the two apart by the word "locked", so that only one of them may have it. */
const LOCKED = 'Workspace is currently locked. It must be unlocked before it can be safely deleted';
const MANAGES_RESOURCES = 'Workspace cannot be safely deleted because it is still managing resources';

/** Deletes workspaces, with and without asking what they manage (spec §4.5, §4.6). */
export class WorkspaceDeletion {
  readonly #database: Database;
  readonly #finder: WorkspaceFinder;
  readonly #places: WorkspacePlaces;

  constructor(database: Database, finder: WorkspaceFinder, places: WorkspacePlaces) {
    this.#database = database;
    this.#finder = finder;
    this.#places = places;
  }

  /** @throws 403 when the actor may only delete safely, 404 when not even that */
  async force(actor: Actor, ref: WorkspaceRef): Promise<void> {
    const workspace = await this.#finder.find(actor, ref, 'can-destroy');
    if (!workspace.permissions['can-force-delete']) {
      throw new AppError('forbidden', 'The organization lets only its owners force delete workspaces');
    }
    await this.#delete(workspace, () => {});
  }

  /** @throws 409 when it is locked or manages resources */
  async safely(actor: Actor, ref: WorkspaceRef): Promise<void> {
    const workspace = await this.#finder.find(actor, ref, 'can-destroy');
    await this.#delete(workspace, ({ locked, resourceCount }) => {
      if (locked) throw conflict(LOCKED);
      if (resourceCount > 0) throw conflict(MANAGES_RESOURCES);
    });
  }

  async #delete({ id, organizationId }: WorkspaceView, check: (current: store.Claimed) => void): Promise<void> {
    await this.#database.transaction(async (tx) => {
      const current = await store.claim(tx, id);
      if (current === undefined) throw notFound();
      check(current);
      await tagStore.detachAll(tx, id);
      await store.remove(tx, id);
      await this.#places.left(tx, { organizationId, projectId: current.projectId });
    });
  }
}
