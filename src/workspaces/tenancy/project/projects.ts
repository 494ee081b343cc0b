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

/** Ids are in the order of time. */
const ORDERS = {
  'default-first': '(p.id = o.default_project_id) DESC, p.id DESC',
  newest: 'p.id DESC',
  name: 'p.name',
  '-name': 'p.name DESC',
} as const;

/** Projects group the workspaces of an organization; each organization begins with one. */
export class Projects {
  readonly #database: Database;
  readonly #organizations: Organizations;

  constructor(database: Database, organizations: Organizations) {
    this.#database = database;
    this.#organizations = organizations;
  }

  /** @throws 404 when there is none, or the actor may not. */
  async find(actor: Actor, id: string, permission: ProjectPermission): Promise<ProjectView> {
    return this.#permitted(actor, await store.findProject(this.#database, id), permission);
  }

  /** The one that an organization begins with. @throws 404 when there is none, or the actor may not. */
  async findDefault(actor: Actor, organization: string, permission: ProjectPermission): Promise<ProjectView> {
    return this.#permitted(actor, await store.findDefaultProject(this.#database, organization), permission);
  }

  /** For whoever may see what is in it. Empty when it is gone. */
  async nameOf(id: string): Promise<string> {
    return (await store.findProject(this.#database, id))?.name ?? '';
  }

  async #permitted(actor: Actor, project: Project | undefined, permission: ProjectPermission): Promise<ProjectView> {
    if (project === undefined) throw notFound();
    const view = await permitted(this.#database, actor, project);
    requirePermission(view.permissions, permission);
    return view;
  }

  /** Of those with these ids, the ones that the actor may read. */
  async readable(actor: Actor, ids: readonly string[]): Promise<ProjectView[]> {
    const from = fragment.raw(`${store.COLUMNS} FROM ${store.FROM}`);
    const query = fragment<Project>`select ${from} where p.id in (${fragment.join(ids)})`;
    const projects = ids.length === 0 ? [] : await select(this.#database, query);
    const views = await permittedEach(this.#database, actor, projects);
    return views.filter(({ permissions }) => permissions['can-read']);
  }

  /** Those that the actor may read. */
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

  /** Keeps the number of workspaces that a project shows. */
  countWorkspaces(tx: Transaction, id: string, delta: number): Promise<number> {
    return store.countWorkspaces(tx, id, delta);
  }
}
