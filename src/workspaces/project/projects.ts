import type { Clock } from '../../lib/clock.ts';
import { prefixedId } from '../../lib/ids.ts';
import { type Database, type Queries, sql, type Transaction } from '../../storage/index.ts';
import { attributeIssue, notFound, unprocessable } from '../jsonapi/errors.ts';
import type { Page, Slice } from '../jsonapi/pagination.ts';
import { takingName } from '../names.ts';
import type { Organizations } from '../organization/organizations.ts';
import { type Actor, grantIn, requirePermission } from '../permissions/actor.ts';
import { type ProjectPermission, projectPermissions } from '../permissions/organization.ts';
import { fragment, select, selectSlice } from '../query/dynamic.ts';

/** What a project may be called, as in the original. */
const NAME = /^[A-Za-z0-9][A-Za-z0-9 _-]{1,38}[A-Za-z0-9_-]$/;

/** A project, and what is needed of its organization to show it. */
export interface Project {
  readonly id: string;
  readonly organizationId: string;
  readonly organizationName: string;
  readonly defaultExecutionMode: string;
  readonly name: string;
  readonly description: string | null;
  readonly workspaceCount: number;
  readonly createdAt: number;
}

/** A project and what the actor may do with it. */
export interface ProjectView extends Project {
  readonly permissions: Readonly<Record<ProjectPermission, boolean>>;
}

/** What a client says of a new project. */
export interface ProjectInput {
  readonly name: string;
  readonly description: string | null;
}

const COLUMNS = `p.id, p.organization_id AS "organizationId", o.name AS "organizationName",
  o.default_execution_mode AS "defaultExecutionMode", p.name, p.description,
  p.workspace_count AS "workspaceCount", p.created_at AS "createdAt"`;
const FROM = 'project p JOIN organization o ON o.id = p.organization_id';

const selectById = sql<{ id: string }, Project>(`SELECT ${COLUMNS} FROM ${FROM} WHERE p.id = :id`);
const insert = sql<{ id: string; organizationId: string; name: string; description: string | null; createdAt: number }>(
  `INSERT INTO project (id, organization_id, name, description, workspace_count, created_at)
   VALUES (:id, :organizationId, :name, :description, 0, :createdAt)`,
);
const addToCount = sql<{ id: string; delta: number }>(
  'UPDATE project SET workspace_count = workspace_count + :delta WHERE id = :id',
);

/** Projects group the workspaces of an organization; each organization begins with one. */
export class Projects {
  readonly #database: Database;
  readonly #clock: Clock;
  readonly #organizations: Organizations;

  constructor(database: Database, clock: Clock, organizations: Organizations) {
    this.#database = database;
    this.#clock = clock;
    this.#organizations = organizations;
  }

  /** @throws 404 when there is none, or the actor may not. */
  async find(actor: Actor, id: string, permission: ProjectPermission): Promise<ProjectView> {
    const project = await this.#database.one(selectById, { id });
    if (project === undefined) throw notFound();
    const view = viewOf(actor, project);
    requirePermission(view.permissions, permission);
    return view;
  }

  /** Of those with these ids, the ones that the actor may read. */
  async readable(actor: Actor, ids: readonly string[]): Promise<ProjectView[]> {
    const from = fragment.raw(`${COLUMNS} FROM ${FROM}`);
    const query = fragment<Project>`select ${from} where p.id in (${fragment.join(ids)})`;
    const projects = await select(this.#database, query);
    return projects
      .filter(({ organizationId }) => actor.grants.has(organizationId))
      .map((project) => viewOf(actor, project))
      .filter(({ permissions }) => permissions['can-read']);
  }

  /** By name. `names` leaves those that are called one of them, whatever the case. */
  async list(actor: Actor, organization: string, names: readonly string[], page: Page): Promise<Slice<ProjectView>> {
    const { id, grant } = await this.#organizations.find(actor, organization, 'can-traverse');
    if (!projectPermissions(grant)['can-read']) return { items: [], total: 0 };
    const where = [fragment`p.organization_id = ${id}`];
    const folded = names.map((name) => name.toLowerCase());
    if (folded.length > 0) where.push(fragment`lower(p.name) in (${fragment.join(folded)})`);
    const query = { columns: COLUMNS, from: FROM, where, orderBy: 'p.name' };
    const { items, total } = await selectSlice<Project>(this.#database, query, page);
    return { items: items.map((project) => viewOf(actor, project)), total };
  }

  async create(actor: Actor, organizationName: string, input: ProjectInput): Promise<ProjectView> {
    const { id: organizationId } = await this.#organizations.find(actor, organizationName, 'can-create-project');
    if (!NAME.test(input.name)) {
      const rule = 'Name has 3 to 40 letters, digits, spaces, - and _, with no space at either end';
      throw unprocessable([attributeIssue('name', rule)]);
    }
    const id = prefixedId('prj', this.#clock());
    await takingName(() => this.insert(this.#database, { id, organizationId, ...input }));
    return this.find(actor, id, 'can-read');
  }

  insert(db: Queries, project: ProjectInput & { id: string; organizationId: string }): Promise<number> {
    return db.run(insert, { ...project, createdAt: this.#clock() });
  }

  /** Keeps the number of workspaces that a project shows. */
  countWorkspaces(tx: Transaction, id: string, delta: number): Promise<number> {
    return tx.run(addToCount, { id, delta });
  }
}

function viewOf(actor: Actor, project: Project): ProjectView {
  return { ...project, permissions: projectPermissions(grantIn(actor, project.organizationId)) };
}
