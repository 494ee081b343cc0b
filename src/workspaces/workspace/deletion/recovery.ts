import type { Clock } from '../../../lib/clock.ts';
import type { Database } from '../../../storage/index.ts';
import { notFound, unprocessable } from '../../jsonapi/errors.ts';
import type { Page, Slice } from '../../jsonapi/pagination.ts';
import {
  type Actor,
  type OrganizationPermission,
  type Organizations,
  requireInOrganization,
  takingName,
} from '../../tenancy/index.ts';
import type { WorkspaceHooks } from '../hooks/hooks.ts';
import type { WorkspacePlacement } from '../model/placement.ts';
import * as store from './recoverable-store.ts';

const TOO_LATE = 'The item has expired, or is being deleted permanently';

/** Dependencies of `WorkspaceRecovery`. */
export interface WorkspaceRecoveryOptions {
  readonly database: Database;
  readonly clock: Clock;
  readonly organizations: Organizations;
  readonly placement: WorkspacePlacement;
  readonly hooks: WorkspaceHooks;
}

/** Restores deleted workspaces, or purges them early. */
export class WorkspaceRecovery {
  readonly #options: WorkspaceRecoveryOptions;

  constructor(options: WorkspaceRecoveryOptions) {
    this.#options = options;
  }

  /** Returns the deleted workspaces that can be restored. Requires the right to manage workspaces. */
  async list(actor: Actor, organizationName: string, page: Page): Promise<Slice<store.RecoverableItem>> {
    const { clock, database, organizations } = this.#options;
    const organization = await organizations.find(actor, organizationName, 'can-create-workspace');
    return store.listRecoverable(database, organization.id, clock(), page);
  }

  /**
   * Finds a deleted workspace.
   * @throws 404 when it does not exist, or the actor may not see it
   */
  find(actor: Actor, id: string): Promise<store.RecoverableItem> {
    return this.#find(actor, id, 'can-create-workspace');
  }

  /**
   * Restores a workspace with its dependents, in its former project or, if that is gone, in the default project.
   * @throws 404 without permission, 422 when the restore period is over or the name is taken
   */
  async recover(actor: Actor, id: string): Promise<void> {
    const { clock, database, hooks, placement } = this.#options;
    const item = await this.#find(actor, id, 'can-create-workspace');
    const { workspaceId, organizationId, name } = item;
    await takingName(() =>
      database.transaction(async (tx) => {
        const back = await store.takeRecoverable(tx, item, clock());
        if (back === undefined) throw unprocessable([{ detail: TOO_LATE }]);
        const { kept, projectId } = back;
        for (const dependent of hooks.dependents) {
          const own = kept[dependent.name];
          const workspace = { id: workspaceId, name, organizationId, projectId };
          if (own !== undefined) await dependent.attach?.(tx, workspace, own);
        }
        await placement.entered(tx, { organizationId, projectId });
      }),
    );
  }

  /**
   * Marks a workspace for purging in the background. Requires the right to force delete everywhere.
   * @throws 404 without permission, 422 when the restore period is over
   */
  async deletePermanently(actor: Actor, id: string): Promise<void> {
    const { clock, database } = this.#options;
    const item = await this.#find(actor, id, 'can-destroy');
    const condemned = await store.markForPurge(database, item.id, clock());
    if (condemned === 0) throw unprocessable([{ detail: TOO_LATE }]);
  }

  async #find(actor: Actor, id: string, permission: OrganizationPermission): Promise<store.RecoverableItem> {
    const item = await store.findRecoverable(this.#options.database, id);
    if (item === undefined) throw notFound();
    requireInOrganization(actor, item.organizationId, permission);
    return item;
  }
}
