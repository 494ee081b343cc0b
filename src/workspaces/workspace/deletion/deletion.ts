import type { Clock } from '../../../lib/clock.ts';
import { AppError } from '../../../lib/errors.ts';
import { prefixedId } from '../../../lib/ids.ts';
import type { Database, Transaction } from '../../../storage/index.ts';
import { conflict, notFound } from '../../jsonapi/errors.ts';
import type { Actor } from '../../tenancy/index.ts';
import type { WorkspaceHooks } from '../hooks/hooks.ts';
import { partyOf } from '../lock/locks.ts';
import * as lockStore from '../lock/store.ts';
import type { WorkspaceFinder } from '../model/finder.ts';
import type { WorkspacePlacement } from '../model/placement.ts';
import * as store from '../model/store.ts';
import type { WorkspaceRef, WorkspaceView } from '../model/workspace.ts';
import * as recoverableStore from './recoverable-store.ts';

/**
 * Official clients match on the words "locked" and "being processed". States are processed synchronously, so the
 * server never sends the second.
 */
const LOCKED = 'Workspace is currently locked. It must be unlocked before it can be safely deleted';
const MANAGES_RESOURCES = 'Workspace cannot be safely deleted because it is still managing resources';
const mayManageResources = (why: string) =>
  `Workspace cannot be safely deleted because it may be still managing resources: its state ${why}`;

/** Dependencies of `WorkspaceDeletion`. */
export interface WorkspaceDeletionOptions {
  readonly database: Database;
  readonly clock: Clock;
  readonly finder: WorkspaceFinder;
  readonly placement: WorkspacePlacement;
  readonly hooks: WorkspaceHooks;
  /** Restore period of a deleted workspace, in milliseconds; 0 disables restoring. */
  readonly recoverableFor: number;
}

/**
 * Deletes workspaces, by force or safely (only if they manage no resources; spec §4.5, §4.6). The name is free
 * immediately.
 */
export class WorkspaceDeletion {
  readonly #options: WorkspaceDeletionOptions;

  constructor(options: WorkspaceDeletionOptions) {
    this.#options = options;
  }

  /** Deletes by force. @throws 403 when the actor may only delete safely, 404 when the actor may not delete at all */
  async force(actor: Actor, ref: WorkspaceRef): Promise<void> {
    const workspace = await this.#options.finder.find(actor, ref, 'can-destroy');
    if (!workspace.permissions['can-force-delete']) {
      throw new AppError('forbidden', 'Only owners of the organization may force delete workspaces');
    }
    await this.#delete(actor, workspace, async () => {});
  }

  /** Deletes safely. @throws 409 when the workspace is locked or manages resources */
  async safely(actor: Actor, ref: WorkspaceRef): Promise<void> {
    const workspace = await this.#options.finder.find(actor, ref, 'can-destroy');
    await this.#delete(actor, workspace, async (tx, { locked, resourceCount }) => {
      if (locked) throw conflict(LOCKED);
      if (resourceCount > 0) throw conflict(MANAGES_RESOURCES);
      const why = await this.#options.hooks.states?.whyUnread(tx, workspace.id);
      if (why !== undefined) throw conflict(mayManageResources(why));
    });
  }

  async #delete(
    actor: Actor,
    { id, organizationId }: WorkspaceView,
    check: (tx: Transaction, current: store.Claimed) => Promise<void>,
  ): Promise<void> {
    const { clock, database, hooks, placement, recoverableFor } = this.#options;
    const by = partyOf(actor, organizationId);
    await database.transaction(async (tx) => {
      const current = await store.claimWorkspace(tx, id);
      if (current === undefined) throw notFound();
      await check(tx, current);
      const now = clock();
      const { name, projectId } = current;
      const kept: Record<string, unknown> = {};
      for (const dependent of hooks.dependents) {
        kept[dependent.name] = await dependent.detach?.(tx, { id, name, organizationId, projectId });
      }
      await lockStore.forceUnlockWorkspace(tx, id, by, now);
      const item = {
        ...{ id: prefixedId('ri', now), organizationId, workspaceId: id, name, projectId },
        ...{ deletedByType: by.type, deletedById: by.id, deletedAt: now },
        ...{ expiresAt: now + recoverableFor, purging: Number(recoverableFor === 0) },
      };
      await recoverableStore.insertRecoverable(tx, item, kept);
      await placement.left(tx, { organizationId, projectId });
    });
  }
}
