import { lruCache } from '../../../lib/lru-cache.ts';
import { memoizeByObject } from '../../../lib/memoize-by-object.ts';
import { type Database, ReadThroughCache } from '../../../storage/index.ts';
import { notFound } from '../../jsonapi/errors.ts';
import {
  type Actor,
  type AgentActor,
  accessTo,
  accessToEach,
  granteeOf,
  grantIn,
  NO_WORKSPACE_ACCESS,
  noteSubject,
  organizationWideAccess,
  requirePermission,
  showsWorkspace,
  unite,
  type WorkspaceAccess,
  type WorkspacePermission,
  workspacePermissions,
} from '../../tenancy/index.ts';
import { agentAccessTo, taskAccessTo } from './agent-access.ts';
import * as store from './store.ts';
import { policyOf, type Workspace, type WorkspaceRef, type WorkspaceView } from './workspace.ts';

/** @limit workspaces in memory, workspaces -> the least recently used one is evicted and read again on demand */
const KEPT = 5000;

/** Names contain no slash, so the key is unambiguous. */
const nameOf = (organization: string, name: string): string => `${organization}/${name}`;

/** Actors with the same access share a key. */
const keyOfAccess = memoizeByObject((access: WorkspaceAccess) => Object.values(access).join());

const viewsOf = memoizeByObject((_workspace: Workspace) => new Map<string, WorkspaceView>());

/**
 * Returns the same view object for all actors with the same access to one read of a workspace. Caches by view then
 * work for all of them.
 */
function sharedViewOf(workspace: Workspace, access: WorkspaceAccess): WorkspaceView {
  const views = viewsOf(workspace);
  const key = keyOfAccess(access);
  const view = views.get(key) ?? viewOf(workspace, access);
  views.set(key, view);
  return view;
}

function viewOf(workspace: Workspace, access: WorkspaceAccess): WorkspaceView {
  return { ...workspace, permissions: workspacePermissions(access, policyOf(workspace)) };
}

/** Finds workspaces and checks permissions in one step. No other code path leads to a workspace. */
export class WorkspaceFinder {
  readonly #database: Database;
  /** Whether workspaces are cached. */
  readonly #keeps: boolean;
  /** Read-through cache by id. */
  readonly #found: ReadThroughCache<Workspace>;
  /** Last known ids by name. An id may be outdated, so the name of the workspace that is found is compared. */
  readonly #ids = lruCache<string, string>(KEPT);
  readonly #access: ReadThroughCache<WorkspaceAccess>;

  constructor(database: Database) {
    this.#database = database;
    this.#keeps = database.reading() !== undefined;
    database.follow({ workspace: 'id', workspace_tag: 'workspace_id' });
    this.#found = new ReadThroughCache(database, KEPT);
    this.#access = new ReadThroughCache(database, KEPT);
  }

  /** Prefetches one workspace for `find` before the actor is known. Returns undefined if it is cached. */
  prefetch(ref: WorkspaceRef): Promise<Workspace | undefined> | undefined {
    return this.#keeps ? undefined : store.findWorkspace(this.#database, ref);
  }

  /**
   * Finds a workspace.
   * @param ahead the prefetched workspace of this request
   * @throws 404 when it does not exist, or without permission
   */
  async find(
    actor: Actor,
    ref: WorkspaceRef,
    permission: WorkspacePermission,
    prefetch?: Promise<Workspace | undefined>,
  ): Promise<WorkspaceView> {
    const workspace = await (prefetch ?? ('id' in ref ? this.#byId(ref.id) : this.#byName(ref.organization, ref.name)));
    if (workspace === undefined) throw notFound();
    return this.authorize(actor, workspace, permission);
  }

  /** Returns the existing workspaces with these ids, for work of the server itself: it checks no permission. */
  named(ids: readonly string[]): Promise<readonly Workspace[]> {
    return store.findWorkspaces(this.#database, ids);
  }

  /** Checks permissions on a workspace that has just been read. @throws 404 without permission */
  async authorize(actor: Actor, workspace: Workspace, permission: WorkspacePermission): Promise<WorkspaceView> {
    noteSubject(actor, { organizationId: workspace.organizationId, workspaceId: workspace.id });
    const view = this.#viewOf(workspace, await this.#accessTo(actor, workspace));
    requirePermission(view.permissions, permission);
    return view;
  }

  /** Returns the access of any actor, without checking a permission. Used to explain permissions. */
  async decide(actor: Actor, workspace: Workspace) {
    const access = await this.#accessTo(actor, workspace);
    return { access, permissions: this.#viewOf(workspace, access).permissions };
  }

  /** Returns views of workspaces of one organization, without those that the actor cannot see. */
  async viewsFor(actor: Actor, organizationId: string, workspaces: readonly Workspace[]): Promise<WorkspaceView[]> {
    if (actor.kind === 'agent') return this.#agentViews(actor, workspaces);
    if (actor.kind === 'task') return [];
    const grant = grantIn(actor, organizationId);
    const wide = organizationWideAccess(grant);
    const single = wide.admin ? undefined : await accessToEach(this.#database, grant.teamIds, workspaces);
    return workspaces.flatMap((workspace) => {
      const access = unite(wide, single?.get(workspace.id) ?? NO_WORKSPACE_ACCESS);
      return showsWorkspace(access) ? [this.#viewOf(workspace, access)] : [];
    });
  }

  /** Reads existing workspaces in the given order. Returns undefined if this finder does not cache. */
  get reader(): ((ids: readonly string[]) => Promise<Workspace[]>) | undefined {
    return this.#keeps ? (ids) => this.#findEach(ids) : undefined;
  }

  #findEach(ids: readonly string[]): Promise<Workspace[]> {
    const read = async (missing: readonly string[]) => {
      const found = new Map((await store.findWorkspaces(this.#database, missing)).map((one) => [one.id, one]));
      return missing.map((id) => found.get(id));
    };
    return this.#found.getMany(ids, read, (id) => id);
  }

  /** Returns those of these workspaces of one organization that the actor can see, by name. */
  async readable(actor: Actor, organizationId: string, ids: readonly string[]): Promise<WorkspaceView[]> {
    return this.viewsFor(
      actor,
      organizationId,
      await store.workspacesOfOrganization(this.#database, organizationId, ids),
    );
  }

  #byId(id: string): Promise<Workspace | undefined> {
    return this.#found.get(id, () => store.findWorkspace(this.#database, { id }), id);
  }

  async #byName(organization: string, name: string): Promise<Workspace | undefined> {
    const key = nameOf(organization, name);
    const id = this.#ids.get(key);
    const known = id === undefined ? undefined : await this.#byId(id);
    if (known?.name === name && known.organizationName === organization) return known;
    const found = await store.findWorkspace(this.#database, { organization, name });
    if (found === undefined || !this.#keeps) return found;
    this.#ids.set(key, found.id);
    return this.#byId(found.id);
  }

  #viewOf(workspace: Workspace, access: WorkspaceAccess): WorkspaceView {
    return this.#keeps ? sharedViewOf(workspace, access) : viewOf(workspace, access);
  }

  async #agentViews(actor: AgentActor, workspaces: readonly Workspace[]): Promise<WorkspaceView[]> {
    const ids = workspaces.map(({ id }) => id);
    const access = await agentAccessTo(this.#database, actor, ids);
    return workspaces.flatMap((workspace) => {
      const own = access.get(workspace.id);
      return own === undefined ? [] : [viewOf(workspace, own)];
    });
  }

  /** An administrator of the whole organization needs no grant for a single workspace. */
  async #accessTo(actor: Actor, workspace: Workspace): Promise<WorkspaceAccess> {
    if (actor.kind === 'agent') {
      const access = await agentAccessTo(this.#database, actor, [workspace.id]);
      return access.get(workspace.id) ?? NO_WORKSPACE_ACCESS;
    }
    if (actor.kind === 'task') return taskAccessTo(actor, workspace.id);
    const wide = organizationWideAccess(grantIn(actor, workspace.organizationId));
    if (wide.admin) return wide;
    const { id, organizationId } = workspace;
    const key = `${id} ${granteeOf(actor, organizationId)}`;
    return unite(wide, await this.#access.get(key, () => accessTo(this.#database, actor, organizationId, workspace)));
  }
}
