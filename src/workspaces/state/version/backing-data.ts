import type { Clock } from '../../../lib/clock.ts';
import type { Database } from '../../../storage/index.ts';
import { notFound } from '../../jsonapi/errors.ts';
import type { Actor } from '../../tenancy/index.ts';
import type { Older } from '../../workspace/index.ts';
import { checkTransition, DATA_ACTIONS, type DataAction } from './rules.ts';
import * as store from './store.ts';
import type { StateVersions } from './versions.ts';
import type { StateWriter } from './writer.ts';

/**
 * Manages the stored data of old versions: soft-delete, restore and permanent deletion. The current
 * version's data cannot be deleted.
 */
export class BackingData {
  readonly #database: Database;
  readonly #clock: Clock;
  readonly #versions: StateVersions;
  readonly #writer: StateWriter;

  constructor(database: Database, clock: Clock, versions: StateVersions, writer: StateWriter) {
    this.#database = database;
    this.#clock = clock;
    this.#versions = versions;
    this.#writer = writer;
  }

  /**
   * Changes the status of the stored data.
   * @throws 404 unless the actor administers the workspace, 400 when the status of the version does not allow it
   */
  async act(actor: Actor, id: string, action: DataAction): Promise<void> {
    const { workspaceId } = await this.#versions.find(actor, id, 'can-update');
    await this.#perform(workspaceId, id, action);
  }

  /**
   * Deletes data according to a retention policy, never that of the current state or of snapshots that may become it.
   * Returns the number of deleted ones.
   */
  deleteOlder(workspaceId: string, { before, keepLatest, limit }: Older): Promise<number> {
    return this.#database.transaction(async (tx) => {
      await this.#writer.claim(tx, workspaceId);
      const old = await store.listOlderVersions(tx, workspaceId, before, keepLatest, limit);
      for (const version of old) {
        await store.moveVersion(tx, version.id, version.status, 'backing_data_permanently_deleted', this.#clock());
        await this.#writer.release(tx, version);
      }
      return old.length;
    });
  }

  #perform(workspaceId: string, id: string, action: DataAction): Promise<void> {
    const { to } = DATA_ACTIONS[action];
    const deletedAt = action === 'restore_backing_data' ? null : this.#clock();
    return this.#database.transaction(async (tx) => {
      const { currentId } = await this.#writer.claim(tx, workspaceId);
      const version = await store.findVersion(tx, id);
      if (version === undefined) throw notFound();
      checkTransition(action, version.status, currentId === id);
      await store.moveVersion(tx, id, version.status, to, deletedAt);
      if (action === 'permanently_delete_backing_data') await this.#writer.release(tx, version);
    });
  }
}
