import type { Clock } from '../../../lib/clock.ts';
import { prefixedId } from '../../../lib/ids.ts';
import type { Database, Transaction } from '../../../storage/index.ts';
import { alreadyTaken, notFound, unprocessable } from '../../jsonapi/errors.ts';
import type { Page, Slice } from '../../jsonapi/pagination.ts';
import { fragment } from '../../query/dynamic.ts';
import {
  type Actor,
  type Organizations,
  type Projects,
  permittedProjects,
  requirePermission,
} from '../../tenancy/index.ts';
import type { VariableKeeper } from '../variable/keeper.ts';
import type { VariableSetFinder } from './finder.ts';
import * as linkStore from './link-store.ts';
import { nextSet } from './rules.ts';
import { MAX_LINKS, type NewSetInput, type SetInput } from './schema.ts';
import * as store from './store.ts';
import { TARGETS, type Target, type VariableSet, type VariableSetView } from './variable-set.ts';

/** Dependencies of the service. */
export interface VariableSetsOptions {
  readonly database: Database;
  readonly clock: Clock;
  readonly organizations: Organizations;
  readonly projects: Projects;
  readonly finder: VariableSetFinder;
  readonly keeper: VariableKeeper;
}

/** Manages variable sets and their workspaces and projects. */
export class VariableSets {
  readonly #options: VariableSetsOptions;

  constructor(options: VariableSetsOptions) {
    this.#options = options;
  }

  /** Returns the sets of an organization that the actor may read, by name. */
  async list(actor: Actor, organizationName: string, query: string, page: Page): Promise<Slice<VariableSetView>> {
    const { database, finder, organizations } = this.#options;
    const { id, grant, permissions } = await organizations.find(actor, organizationName, 'can-traverse');
    const ofProjects = permittedProjects(grant, 'can-read-varsets');
    const readable = permissions['can-read-varsets'] ? [] : [fragment`s.project_id is not null`, ...ofProjects];
    const where = [fragment`s.organization_id = ${id}`, ...readable];
    const { items, total } = await store.listVariableSets(database, where, query, page);
    return { items: await finder.viewsFor(actor, items), total };
  }

  /** Returns the sets that apply to a project, including global ones. */
  async ofProject(actor: Actor, projectId: string, query: string, page: Page): Promise<Slice<VariableSetView>> {
    const { database, finder, projects } = this.#options;
    const { organizationId } = await projects.find(actor, projectId, 'can-read-varsets');
    const where = [
      fragment`s.organization_id = ${organizationId}`,
      fragment`(s.global = 1 or s.project_id = ${projectId} or s.id in
        (select variable_set_id from variable_set_project where project_id = ${projectId}))`,
    ];
    const { items, total } = await store.listVariableSets(database, where, query, page);
    return { items: await finder.viewsFor(actor, items), total };
  }

  /**
   * Finds a variable set.
   * @throws 404 when the actor may not see it
   */
  async show(actor: Actor, id: string): Promise<VariableSetView> {
    const { finder } = this.#options;
    return finder.view(actor, await finder.find(actor, id, 'read'));
  }

  /**
   * Creates a variable set.
   * @throws 404 without the permission to create sets there, 422 for input that breaks a rule
   */
  async create(actor: Actor, organizationName: string, input: NewSetInput): Promise<VariableSetView> {
    const { clock, database, organizations } = this.#options;
    const { id: organizationId, permissions } = await organizations.find(actor, organizationName, 'can-traverse');
    const parent = input.relationships?.parent?.data;
    const projectId = parent?.type === 'projects' ? parent.id : null;
    if (projectId !== null) await this.#requireProject(actor, organizationId, projectId);
    else requirePermission(permissions, 'can-manage-varsets');
    const content = nextSet(input.attributes, projectId);
    const id = prefixedId('varset', clock());
    await database.transaction(async (tx) => {
      const set = { id, organizationId, projectId };
      if (!(await store.insertVariableSet(tx, set, content, clock()))) throw alreadyTaken('name');
      await this.#fill(tx, set, input.relationships);
    });
    return this.show(actor, id);
  }

  /**
   * Updates a set. Lists of workspaces and projects replace the former ones; variables are added.
   * @throws 404 without permission, 422 for input that breaks a rule
   */
  async update(actor: Actor, id: string, { attributes = {}, relationships }: SetInput): Promise<VariableSetView> {
    await this.#change(actor, id, async (tx, set) => {
      const next = nextSet(attributes, set.projectId, set);
      const holder = await store.findVariableSetByName(tx, set.organizationId, next.name);
      if (holder !== undefined && holder !== id) throw alreadyTaken('name');
      await store.updateVariableSet(tx, id, next);
      for (const target of TARGETS) {
        if (relationships?.[target]) await linkStore.unlinkAllTargets(tx, target, id);
      }
      await this.#fill(tx, set, relationships);
    });
    return this.show(actor, id);
  }

  async remove(actor: Actor, id: string): Promise<void> {
    const { database, finder } = this.#options;
    await finder.find(actor, id, 'update');
    await database.transaction((tx) => store.removeVariableSet(tx, id));
  }

  /**
   * Applies the set to more workspaces or projects. @throws 404 for an id outside of the organization or the owning
   * project
   */
  async apply(actor: Actor, id: string, target: Target, ids: readonly string[]): Promise<void> {
    await this.#change(actor, id, (tx, set) => link(tx, set, target, ids));
  }

  /** Removes workspaces or projects from the set, and ignores those that it is not applied to. */
  async withdraw(actor: Actor, id: string, target: Target, ids: readonly string[]): Promise<void> {
    await this.#change(actor, id, async (tx) => {
      for (const one of [...new Set(ids)].sort()) await linkStore.unlinkTarget(tx, target, id, one);
    });
  }

  async #change(actor: Actor, id: string, work: (tx: Transaction, set: VariableSet) => Promise<void>): Promise<void> {
    const { clock, database, finder } = this.#options;
    await finder.find(actor, id, 'update');
    await database.transaction(async (tx) => {
      if (!(await store.touchVariableSet(tx, id, clock()))) throw notFound();
      const set = await store.findVariableSet(tx, id);
      if (set === undefined) throw notFound();
      await work(tx, set);
    });
  }

  async #fill(tx: Transaction, set: Owned, relationships: SetInput['relationships']): Promise<void> {
    for (const target of TARGETS) {
      const ids = relationships?.[target]?.data.map(({ id }) => id) ?? [];
      await link(tx, set, target, ids);
    }
    const owner = { type: 'varsets', id: set.id } as const;
    for (const [index, { attributes }] of (relationships?.vars?.data ?? []).entries()) {
      await this.#options.keeper.add(tx, owner, attributes, `/data/relationships/vars/data/${index}/attributes`);
    }
    await requireNoConflict(tx, set.id);
  }

  async #requireProject(actor: Actor, organizationId: string, projectId: string): Promise<void> {
    const project = await this.#options.projects.find(actor, projectId, 'can-manage-varsets');
    if (project.organizationId !== organizationId) throw notFound();
  }
}

type Owned = Pick<VariableSet, 'id' | 'organizationId' | 'projectId'>;

async function link(tx: Transaction, set: Owned, target: Target, given: readonly string[]): Promise<void> {
  const ids = [...new Set(given)].sort();
  if (ids.length === 0) return;
  if ((await linkStore.countTargets(tx, set, target, ids)) < ids.length) throw notFound();
  for (const id of ids) await linkStore.linkTarget(tx, target, set.id, id);
  if ((await linkStore.countLinks(tx, target, set.id)) > MAX_LINKS) {
    throw unprocessable([
      { detail: `A variable set can be applied to at most ${MAX_LINKS} ${target}`, pointer: '/data' },
    ]);
  }
}

/**
 * Checks the variables of a global set.
 * @throws 422 when another global set has a variable of this global set
 */
export async function requireNoConflict(tx: Transaction, setId: string): Promise<void> {
  if (!(await store.hasGlobalConflict(tx, setId))) return;
  const detail = 'Global variable sets cannot have variables with the same key and category';
  throw unprocessable([{ detail, pointer: '/data/attributes/global' }]);
}
