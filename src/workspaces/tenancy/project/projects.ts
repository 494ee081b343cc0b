import type { Database, Transaction } from '../../../storage/index.ts';
import { notFound } from '../../jsonapi/errors.ts';
import type { Page, Slice } from '../../jsonapi/pagination.ts';
import { fragment, select, selectSlice } from '../../query/dynamic.ts';
import type { Organizations } from '../organization/organizations.ts';
import { type Actor, requirePermission } from '../permissions/actor.ts';
import type { ProjectPermission } from '../permissions/project.ts';
import { permitted, permittedEach, permittedProjects } from '../permissions/project-finder.ts';
import type { Project, ProjectFilter, ProjectView } from './project.ts';
import * as store from './store.ts';

export type { Project, ProjectView } from './project.ts';

/** Ids sort by creation time. */
const ORDERS = {
  'default-first': '(p.id = o.default_project_id) DESC, p.id DESC',
  newest: 'p.id DESC',
  name: 'p.name',
  '-name': 'p.name DESC',
} as const;

/** Finds projects. A project groups workspaces of an organization; each organization has a default project. */
export class Projects {
  readonly #database: Database;
  readonly #organizations: Organizations;

  constructor(database: Database, organizations: Organizations) {
    this.#database = database;
    this.#organizations = organizations;
  }

  /**
   * Finds a project.
   * @throws 404 if it does not exist, or without permission
   */
  async find(actor: Actor, id: string, permission: ProjectPermission): Promise<ProjectView> {
    return this.#permitted(actor, await store.findProject(this.#database, id), permission);
  }

  /**
   * Finds the default project of an organization.
   * @throws 404 if the organization does not exist, or without permission
   */
  async findDefault(actor: Actor, organization: string, permission: ProjectPermission): Promise<ProjectView> {
    return this.#permitted(actor, await store.findDefaultProject(this.#database, organization), permission);
  }

  /** Returns the name, without a permission check. Empty if the project is deleted. */
  async nameOf(id: string): Promise<string> {
    return (await store.findProject(this.#database, id))?.name ?? '';
  }

  async #permitted(actor: Actor, project: Project | undefined, permission: ProjectPermission): Promise<ProjectView> {
    if (project === undefined) throw notFound();
    const view = await permitted(this.#database, actor, project);
    requirePermission(view.permissions, permission);
    return view;
  }

  /** Returns the projects with these ids that the actor may read. */
  async readable(actor: Actor, ids: readonly string[]): Promise<ProjectView[]> {
    const from = fragment.raw(`${store.COLUMNS} FROM ${store.FROM}`);
    const query = fragment<Project>`select ${from} where p.id in (${fragment.join(ids)})`;
    const projects = ids.length === 0 ? [] : await select(this.#database, query);
    const views = await permittedEach(this.#database, actor, projects);
    return views.filter(({ permissions }) => permissions['can-read']);
  }

  /** Lists the projects that the actor may read. */
  async list(actor: Actor, organization: string, filter: ProjectFilter, page: Page): Promise<Slice<ProjectView>> {
    const { id, grant } = await this.#organizations.find(actor, organization, 'can-traverse');
    const permissions = ['can-read', ...filter.permissions] as const;
    const where = [
      fragment`p.organization_id = ${id}`,
      ...permissions.flatMap((permission) => permittedProjects(grant, permission)),
      ...store.projectConditions(id, filter),
    ];
    const query = { columns: store.COLUMNS, from: store.FROM, where, orderBy: ORDERS[filter.sort] };
    const { items, total } = await selectSlice<Project>(this.#database, query, page);
    return { items: await permittedEach(this.#database, actor, items), total };
  }

  /** Adds `delta` to the stored number of workspaces. */
  countWorkspaces(tx: Transaction, id: string, delta: number): Promise<number> {
    return store.countWorkspaces(tx, id, delta);
  }
}
