import type { Database } from '../../storage/index.ts';
import { notFound } from '../jsonapi/errors.ts';
import { type Actor, grantIn, requirePermission } from '../permissions/actor.ts';
import { type WorkspacePermission, workspaceLevel, workspacePermissions } from '../permissions/workspace.ts';
import * as store from './store.ts';
import type { Workspace, WorkspaceRef, WorkspaceView } from './workspace.ts';

/** What the actor may do with a workspace of the database. @throws 404 when that is nothing */
export function workspaceView(actor: Actor, workspace: Workspace): WorkspaceView {
  const level = workspaceLevel(grantIn(actor, workspace.organizationId));
  if (level === undefined) throw notFound();
  const permissions = workspacePermissions(level, {
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
    const view = workspaceView(actor, workspace);
    requirePermission(view.permissions, permission);
    return view;
  }
}
