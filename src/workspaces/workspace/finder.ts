import type { Database } from '../../storage/index.ts';
import { notFound } from '../jsonapi/errors.ts';
import { NO_WORKSPACE_ACCESS, unite, type WorkspaceAccess } from '../permissions/access.ts';
import { type Actor, grantIn, requirePermission } from '../permissions/actor.ts';
import { accessTo, accessToEach } from '../permissions/granted-access.ts';
import {
  organizationWideAccess,
  showsWorkspace,
  type WorkspacePermission,
  workspacePermissions,
} from '../permissions/workspace.ts';
import * as store from './store.ts';
import type { Workspace, WorkspaceRef, WorkspaceView } from './workspace.ts';

function viewOf(workspace: Workspace, access: WorkspaceAccess): WorkspaceView {
  const permissions = workspacePermissions(access, {
    allowsDestroyPlan: workspace.settings['allow-destroy-plan'],
    allowsForceDelete: workspace.allowsForceDelete,
  });
  return { ...workspace, permissions };
}

/** Finds a workspace and asks whether the actor may, in one: there is no other way to a workspace. */
export class WorkspaceFinder {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** @throws 404 when there is none, or the actor may not */
  async find(actor: Actor, ref: WorkspaceRef, permission: WorkspacePermission): Promise<WorkspaceView> {
    const workspace = await store.find(this.#database, ref);
    if (workspace === undefined) throw notFound();
    const view = viewOf(workspace, await this.#accessTo(actor, workspace));
    requirePermission(view.permissions, permission);
    return view;
  }

  /** What the actor may do with each of these, of one organization; those that are not shown to the actor are left out. */
  async views(actor: Actor, organizationId: string, workspaces: readonly Workspace[]): Promise<WorkspaceView[]> {
    const grant = grantIn(actor, organizationId);
    const wide = organizationWideAccess(grant);
    const single = wide.admin ? undefined : await accessToEach(this.#database, grant.teamIds, workspaces);
    return workspaces.flatMap((workspace) => {
      const access = unite(wide, single?.get(workspace.id) ?? NO_WORKSPACE_ACCESS);
      return showsWorkspace(access) ? [viewOf(workspace, access)] : [];
    });
  }

  /** Of those with these ids, of one organization, the ones that are shown to the actor, by name. */
  async readable(actor: Actor, organizationId: string, ids: readonly string[]): Promise<WorkspaceView[]> {
    return this.views(actor, organizationId, await store.ofOrganization(this.#database, organizationId, ids));
  }

  /** Who administers the whole organization needs no grant for the one workspace. */
  async #accessTo(actor: Actor, workspace: Workspace): Promise<WorkspaceAccess> {
    const wide = organizationWideAccess(grantIn(actor, workspace.organizationId));
    if (wide.admin) return wide;
    return unite(wide, await accessTo(this.#database, actor, workspace.organizationId, workspace));
  }
}
