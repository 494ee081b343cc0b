import { lruCache } from '../../../lib/lru-cache.ts';
import { memoizeByObject } from '../../../lib/memoize-by-object.ts';
import { type Database, ReadThroughCache } from '../../../storage/index.ts';
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
  noteSubject,
  organizationWideAccess,
  requirePermission,
  showsWorkspace,
  taskAccessTo,
  unite,
  type WorkspaceAccess,
  type WorkspacePermission,
  workspacePermissions,
} from '../../tenancy/index.ts';
import * as store from './store.ts';
import { policyOf, type Workspace, type WorkspaceRef, type WorkspaceView } from './workspace.ts';

/** @limit workspaces in memory, workspaces -> the one unused for longest is read again */
const KEPT = 5000;

/** No name of what is there has a slash. */
const nameOf = (organization: string, name: string): string => `${organization}/${name}`;

/** Whoever may do the same has the same. */
const keyOfAccess = memoizeByObject((access: WorkspaceAccess) => Object.values(access).join());

const viewsOf = memoizeByObject((_workspace: Workspace) => new Map<string, WorkspaceView>());

/** Whoever may do the same gets the same view of a workspace that was read once: what is made of it is kept with it. */
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

/** Finds a workspace and asks whether the actor may, in one: there is no other way to a workspace. */
export class WorkspaceFinder {
  readonly #database: Database;
  /** Whether what is found is kept. */
  readonly #keeps: boolean;
  /** By id. */
  readonly #found: ReadThroughCache<Workspace>;
  /** The ids of names, as they once were: whoever is found by one tells whether it is still so. */
  readonly #ids = lruCache<string, string>(KEPT);
  readonly #access: ReadThroughCache<WorkspaceAccess>;

  constructor(database: Database) {
    this.#database = database;
    this.#keeps = database.reading() !== undefined;
    database.follow({ workspace: 'id', workspace_tag: 'workspace_id' });
    this.#found = new ReadThroughCache(database, KEPT);
    this.#access = new ReadThroughCache(database, KEPT);
  }

  /** Reads one for `find`, while it is not known yet who asks. Undefined where it is kept. */
  ahead(ref: WorkspaceRef): Promise<Workspace | undefined> | undefined {
    return this.#keeps ? undefined : store.findWorkspace(this.#database, ref);
  }

  /**
   * @param ahead what has been read for the same request
   * @throws 404 when there is none, or the actor may not
   */
  async find(
    actor: Actor,
    ref: WorkspaceRef,
    permission: WorkspacePermission,
    ahead?: Promise<Workspace | undefined>,
  ): Promise<WorkspaceView> {
    const workspace = await (ahead ?? ('id' in ref ? this.#byId(ref.id) : this.#byName(ref.organization, ref.name)));
    if (workspace === undefined) throw notFound();
    return this.authorize(actor, workspace, permission);
  }

  /** The same of one that has just been read. @throws 404 when the actor may not */
  async authorize(actor: Actor, workspace: Workspace, permission: WorkspacePermission): Promise<WorkspaceView> {
    noteSubject(actor, { organizationId: workspace.organizationId, workspaceId: workspace.id });
    const view = this.#viewOf(workspace, await this.#accessTo(actor, workspace));
    requirePermission(view.permissions, permission);
    return view;
  }

  /** The same decision, told of an actor who need not be the one that asks. */
  async decide(actor: Actor, workspace: Workspace) {
    const access = await this.#accessTo(actor, workspace);
    return { access, permissions: this.#viewOf(workspace, access).permissions };
  }

  /** What the actor may do with each of these, of one organization; those that are not shown to the actor are left out. */
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

  /** Reads those of these that are there, in this order. Undefined where none of them would be kept. */
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

  /** Of those with these ids, of one organization, the ones that are shown to the actor, by name. */
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

  /** Who administers the whole organization needs no grant for the one workspace. */
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
