import { keptWith } from '../../../lib/kept-with.ts';
import { type Database, KeptReads } from '../../../storage/index.ts';
import { notFound } from '../../jsonapi/errors.ts';
import {
  type Actor,
  type AgentActor,
  accessTo,
  accessToEach,
  agentAccessTo,
  granteeOf,
  grantIn,
  NO_WORKSPACE_ACCESS,
  organizationWideAccess,
  requirePermission,
  showsWorkspace,
  unite,
  type WorkspaceAccess,
  type WorkspacePermission,
  workspacePermissions,
} from '../../tenancy/index.ts';
import * as store from './store.ts';
import type { Workspace, WorkspaceRef, WorkspaceView } from './workspace.ts';

const KEPT = 2000;

/** No name of what is there has a slash. */
const keyOf = (ref: WorkspaceRef): string => ('id' in ref ? `id ${ref.id}` : `name ${ref.organization}/${ref.name}`);

const viewsOf = keptWith((_workspace: Workspace) => new Map<string, WorkspaceView>());

/** Whoever may do the same gets the same view of a workspace that was read once: what is made of it is kept with it. */
function sharedViewOf(workspace: Workspace, access: WorkspaceAccess): WorkspaceView {
  const views = viewsOf(workspace);
  const key = Object.values(access).join();
  const view = views.get(key) ?? viewOf(workspace, access);
  views.set(key, view);
  return view;
}

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
  readonly #found: KeptReads<Workspace>;
  readonly #access: KeptReads<WorkspaceAccess>;

  constructor(database: Database) {
    this.#database = database;
    this.#found = new KeptReads(database, KEPT);
    this.#access = new KeptReads(database, KEPT);
  }

  /** @throws 404 when there is none, or the actor may not */
  async find(actor: Actor, ref: WorkspaceRef, permission: WorkspacePermission): Promise<WorkspaceView> {
    const workspace = await this.#found.get(keyOf(ref), () => store.find(this.#database, ref));
    if (workspace === undefined) throw notFound();
    const view = sharedViewOf(workspace, await this.#accessTo(actor, workspace));
    requirePermission(view.permissions, permission);
    return view;
  }

  /** What the actor may do with each of these, of one organization; those that are not shown to the actor are left out. */
  async views(actor: Actor, organizationId: string, workspaces: readonly Workspace[]): Promise<WorkspaceView[]> {
    if (actor.kind === 'agent') return this.#agentViews(actor, workspaces);
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

  async #agentViews(actor: AgentActor, workspaces: readonly Workspace[]): Promise<WorkspaceView[]> {
    const ids = workspaces.map(({ id }) => id);
    const access = await agentAccessTo(this.#database, actor, ids);
    return workspaces.flatMap((workspace) => {
      const own = access.get(workspace.id);
      return own === undefined ? [] : [viewOf(workspace, own)];
    });
  }

  /** Who administers the whole organization needs no grant for the one workspace. */
  async #accessTo(actor: Actor, workspace: Workspace): Promise<WorkspaceAccess> {
    if (actor.kind === 'agent') {
      const access = await agentAccessTo(this.#database, actor, [workspace.id]);
      return access.get(workspace.id) ?? NO_WORKSPACE_ACCESS;
    }
    const wide = organizationWideAccess(grantIn(actor, workspace.organizationId));
    if (wide.admin) return wide;
    const { id, organizationId } = workspace;
    const key = `${id} ${granteeOf(actor, organizationId)}`;
    return unite(wide, await this.#access.get(key, () => accessTo(this.#database, actor, organizationId, workspace)));
  }
}
