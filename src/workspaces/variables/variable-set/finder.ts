import type { Database } from '../../../storage/index.ts';
import { notFound } from '../../jsonapi/errors.ts';
import { type Actor, grantIn, organizationPermissions, type Projects } from '../../tenancy/index.ts';
import type { VariableKeeper } from '../variable/keeper.ts';
import * as linkStore from './link-store.ts';
import * as store from './store.ts';
import type { VariableSet, VariableSetView } from './variable-set.ts';

/** Finds variable sets and checks permissions in one step. */
export class VariableSetFinder {
  readonly #database: Database;
  readonly #projects: Projects;
  readonly #keeper: VariableKeeper;

  constructor(database: Database, projects: Projects, keeper: VariableKeeper) {
    this.#database = database;
    this.#projects = projects;
    this.#keeper = keeper;
  }

  /**
   * Finds a variable set.
   * @throws 404 when it does not exist, or without permission
   */
  async find(actor: Actor, id: string, wanted: 'read' | 'update'): Promise<VariableSet> {
    const set = await store.findVariableSet(this.#database, id);
    if (set === undefined) throw notFound();
    const [access] = await this.#accessTo(actor, [set]);
    if (!access?.[wanted]) throw notFound();
    return set;
  }

  /** Adds variables and links to sets, with one query for each kind and any number of sets. */
  async viewsFor(actor: Actor, sets: readonly VariableSet[]): Promise<VariableSetView[]> {
    const ids = sets.map(({ id }) => id);
    const [workspaces, projects] = [
      await linkStore.linksOfSets(this.#database, 'workspaces', ids),
      await linkStore.linksOfSets(this.#database, 'projects', ids),
    ];
    const variables = await this.#keeper.idsOfEach('varsets', ids);
    const access = await this.#accessTo(actor, sets);
    return sets.map((set, index) => ({
      ...set,
      workspaceIds: (workspaces.get(set.id) ?? []).map(({ id }) => id),
      projectIds: (projects.get(set.id) ?? []).map(({ id }) => id),
      variableIds: variables.get(set.id) ?? [],
      canUpdate: access[index]?.update ?? false,
    }));
  }

  /** Adds variables and links to one set. */
  async view(actor: Actor, set: VariableSet): Promise<VariableSetView> {
    const [view] = await this.viewsFor(actor, [set]);
    if (view === undefined) throw notFound();
    return view;
  }

  /**
   * Sets of an organization are visible to everyone who reads or manages its workspaces; sets of a project also to
   * those of the project.
   */
  async #accessTo(actor: Actor, sets: readonly VariableSet[]): Promise<{ read: boolean; update: boolean }[]> {
    const projectIds = new Set(sets.flatMap(({ projectId }) => projectId ?? []));
    const projects = new Map(
      (await this.#projects.readable(actor, [...projectIds])).map((project) => [project.id, project]),
    );
    return sets.map(({ organizationId, projectId }) => {
      const wide = organizationPermissions(grantIn(actor, organizationId));
      const own = projects.get(projectId ?? '')?.permissions;
      const update = wide['can-manage-varsets'] || own?.['can-manage-varsets'] === true;
      return { read: update || wide['can-read-varsets'] || own?.['can-read-varsets'] === true, update };
    });
  }
}
