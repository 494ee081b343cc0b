import type { Clock } from '../../../lib/clock.ts';
import type { Issue } from '../../../lib/errors.ts';
import { prefixedId } from '../../../lib/ids.ts';
import type { Database, Transaction } from '../../../storage/index.ts';
import { attributeIssue, conflict, notFound, unprocessable } from '../../jsonapi/errors.ts';
import type { Page, Slice } from '../../jsonapi/pagination.ts';
import {
  type Actor,
  mayInOrganization,
  type OrganizationPermission,
  type Organizations,
  type Projects,
  requireInOrganization,
  takingName,
} from '../../tenancy/index.ts';
import type { Place, WorkspaceFinder } from '../../workspace/index.ts';
import { SILENCE } from './agent.ts';
import type { AgentPool, PoolFilter, PoolInput, PoolScope, PoolView } from './agent-pool.ts';
import * as agentStore from './agent-store.ts';
import * as store from './store.ts';

/** Service for the agent pools of an organization. */
export class AgentPools {
  readonly #database: Database;
  readonly #clock: Clock;
  readonly #organizations: Organizations;
  readonly #projects: Projects;
  readonly #finder: WorkspaceFinder;

  constructor(
    database: Database,
    clock: Clock,
    parts: { readonly organizations: Organizations; readonly projects: Projects; readonly finder: WorkspaceFinder },
  ) {
    this.#database = database;
    this.#clock = clock;
    this.#organizations = parts.organizations;
    this.#projects = parts.projects;
    this.#finder = parts.finder;
  }

  /** Lists pools for actors who manage pools or workspaces. */
  async list(actor: Actor, organizationName: string, filter: PoolFilter, page: Page): Promise<Slice<PoolView>> {
    const { id } = await this.#organizations.find(actor, organizationName, 'can-traverse');
    requireInOrganization(actor, id, ...READING);
    const { items, total } = await store.listPools(this.#database, id, filter, page);
    return { items: await this.#views(items), total };
  }

  /**
   * Finds a pool.
   * @throws 404 if it does not exist or the actor may not see it
   */
  async find(actor: Actor, id: string): Promise<PoolView> {
    return this.#find(actor, id, READING);
  }

  /** Returns those of the pools with these IDs that the actor may see. */
  async readable(actor: Actor, ids: readonly string[]): Promise<PoolView[]> {
    const pools = await store.findPools(this.#database, ids);
    return this.#views(pools.filter(({ organizationId }) => mayInOrganization(actor, organizationId, ...READING)));
  }

  /** Finds a pool for management. @throws 404 if it does not exist or the actor may not manage it */
  async manage(actor: Actor, id: string): Promise<PoolView> {
    return this.#find(actor, id, ['can-update-agent-pools']);
  }

  /**
   * Creates a pool.
   * @throws 404 without permission, 422 for invalid attributes
   */
  async create(
    actor: Actor,
    organizationName: string,
    input: PoolInput & { readonly name: string },
  ): Promise<PoolView> {
    const organization = await this.#organizations.find(actor, organizationName, 'can-update-agent-pools');
    checkName(input.name);
    await this.#checkScope(actor, organization.id, input);
    const createdAt = this.#clock();
    const id = prefixedId('apool', createdAt);
    const organizationScoped = Number(input.organizationScoped ?? true);
    const pool = { id, organizationId: organization.id, name: input.name, organizationScoped, createdAt };
    await takingName(() =>
      this.#database.transaction(async (tx) => {
        await store.insertPool(tx, pool);
        await store.setPoolScope(tx, id, input);
      }),
    );
    return this.manage(actor, id);
  }

  /** Updates a pool. Workspaces that already use it keep it. @throws 404 without permission, 422 for invalid attributes */
  async update(actor: Actor, id: string, input: PoolInput): Promise<PoolView> {
    const { organizationId } = await this.manage(actor, id);
    if (input.name !== undefined) checkName(input.name);
    await this.#checkScope(actor, organizationId, input);
    const { name = null, organizationScoped: scoped } = input;
    await takingName(() =>
      this.#database.transaction(async (tx) => {
        const updated = await store.updatePool(tx, id, name, scoped === undefined ? null : Number(scoped));
        if (updated === undefined) throw notFound();
        await store.setPoolScope(tx, id, input);
      }),
    );
    return this.manage(actor, id);
  }

  /**
   * Deletes a pool.
   * @throws 404 without permission, 409 while a workspace uses or inherits it, or a VCS connection uses it
   */
  async delete(actor: Actor, id: string): Promise<void> {
    const pool = await this.manage(actor, id);
    await this.#database.transaction(async (tx) => {
      if (await store.isPoolUsed(tx, pool)) throw conflict(IN_USE);
      await store.removePool(tx, id);
    });
  }

  /** Returns whether the organization has the pool. */
  async exists(organizationId: string, id: string): Promise<boolean> {
    return (await store.findPoolOfOrganization(this.#database, organizationId, id)) !== undefined;
  }

  /** Returns whether a workspace in this project may use the pool. */
  async usable(tx: Transaction, id: string, { organizationId, projectId, workspaceId = '' }: Place): Promise<boolean> {
    return (await store.usablePools(tx, { id, organizationId, projectId, workspaceId })) !== undefined;
  }

  async #find(
    actor: Actor,
    id: string,
    permissions: readonly [OrganizationPermission, ...OrganizationPermission[]],
  ): Promise<PoolView> {
    const pool = await store.findPool(this.#database, id);
    if (pool === undefined) throw notFound();
    requireInOrganization(actor, pool.organizationId, ...permissions);
    const [view] = await this.#views([pool]);
    return view ?? { ...pool, links: [], agentCount: 0 };
  }

  async #views(pools: readonly AgentPool[]): Promise<PoolView[]> {
    const ids = pools.map(({ id }) => id);
    const links = await store.poolLinks(this.#database, ids);
    const byPool = Map.groupBy(links, ({ poolId }) => poolId);
    const counts = await agentStore.countConnected(this.#database, ids, this.#clock() - SILENCE);
    return pools.map((pool) => ({
      ...pool,
      links: byPool.get(pool.id) ?? [],
      agentCount: counts.get(pool.id) ?? 0,
    }));
  }

  /**
   * Checks the workspaces and projects of a pool's scope.
   * @throws 422 for objects that do not exist or the actor may not see
   */
  async #checkScope(actor: Actor, organizationId: string, scope: PoolScope): Promise<void> {
    const { allowedWorkspaces = [], excludedWorkspaces = [], allowedProjects = [] } = scope;
    const workspaces = await this.#finder.readable(actor, organizationId, [
      ...allowedWorkspaces,
      ...excludedWorkspaces,
    ]);
    const projects = await this.#projects.readable(actor, allowedProjects);
    const inside = projects.filter((project) => project.organizationId === organizationId);
    const issues = [
      ...missing('allowed-workspaces', 'Workspace', allowedWorkspaces, workspaces),
      ...missing('excluded-workspaces', 'Workspace', excludedWorkspaces, workspaces),
      ...missing('allowed-projects', 'Project', allowedProjects, inside),
    ];
    if (issues.length > 0) throw unprocessable(issues);
  }
}

/** Actors who manage workspaces assign pools to them. */
const READING = ['can-update-agent-pools', 'can-create-workspace'] as const;

function checkName(name: string): void {
  if (name.trim() === '') throw unprocessable([attributeIssue('name', "Name can't be blank")]);
}

function missing(
  relationship: string,
  label: string,
  ids: readonly string[],
  known: readonly { readonly id: string }[],
): Issue[] {
  return ids.flatMap((id, index) => {
    if (known.some((one) => one.id === id)) return [];
    return [{ detail: `${label} not found`, pointer: `/data/relationships/${relationship}/data/${index}` }];
  });
}

const IN_USE =
  'The agent pool is in use by a workspace, a VCS connection or as a default. Choose another pool or none there first';
