import { type Database, type Queries, sql, type Transaction } from '../../storage/index.ts';
import { notFound } from '../jsonapi/errors.ts';
import type { Page, Slice } from '../jsonapi/pagination.ts';
import { type Actor, grantIn, requirePermission } from '../permissions/actor.ts';
import type { Grant } from '../permissions/grants.ts';
import { type OrganizationPermission, organizationPermissions } from '../permissions/organization.ts';
import { fragment, selectSlice } from '../query/dynamic.ts';

/** The top of everything: teams, projects and workspaces belong to one. */
export interface Organization {
  /** `org-…`; clients know the organization by its name (spec §2.1). */
  readonly id: string;
  readonly name: string;
  readonly email: string;
  readonly defaultProjectId: string;
  readonly defaultExecutionMode: 'remote' | 'local';
  /** 0 or 1: whether administrators of a workspace may force-delete it. */
  readonly allowForceDelete: number;
  readonly workspaceCount: number;
  readonly createdAt: number;
}

/** An organization and what the actor may do with it. */
export interface OrganizationView extends Organization {
  readonly grant: Grant;
  readonly permissions: Readonly<Record<OrganizationPermission, boolean>>;
}

const COLUMNS = `id, name, email, default_project_id AS "defaultProjectId",
  default_execution_mode AS "defaultExecutionMode", allow_force_delete_workspaces AS "allowForceDelete",
  workspace_count AS "workspaceCount", created_at AS "createdAt"`;

const selectByName = sql<{ name: string }, Organization>(`SELECT ${COLUMNS} FROM organization WHERE name = :name`);
const insert = sql<{ [Column in keyof Organization]: Organization[Column] }>(
  `INSERT INTO organization (id, name, email, default_project_id, default_execution_mode,
     allow_force_delete_workspaces, workspace_count, created_at)
   VALUES (:id, :name, :email, :defaultProjectId, :defaultExecutionMode,
     :allowForceDelete, :workspaceCount, :createdAt)`,
);
const addToCount = sql<{ id: string; delta: number }>(
  'UPDATE organization SET workspace_count = workspace_count + :delta WHERE id = :id',
);

/** Finds organizations. They are founded by `found` (founding.ts), with what belongs to a new one. */
export class Organizations {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** @throws 404 when there is none of that name, or the actor may not. */
  async find(actor: Actor, name: string, permission: OrganizationPermission): Promise<OrganizationView> {
    const organization = await this.#database.one(selectByName, { name });
    if (organization === undefined) throw notFound();
    const view = organizationView(organization, grantIn(actor, organization.id));
    requirePermission(view.permissions, permission);
    return view;
  }

  /** Those in which the actor has any grant, by name. */
  async list(actor: Actor, page: Page): Promise<Slice<OrganizationView>> {
    if (actor.grants.size === 0) return { items: [], total: 0 };
    const mine = fragment`id in (${fragment.join([...actor.grants.keys()])})`;
    const query = { columns: COLUMNS, from: 'organization', where: [mine], orderBy: 'name' };
    const { items, total } = await selectSlice<Organization>(this.#database, query, page);
    return {
      items: items.map((organization) => organizationView(organization, grantIn(actor, organization.id))),
      total,
    };
  }

  insert(tx: Transaction, organization: Organization): Promise<number> {
    return tx.run(insert, { ...organization });
  }

  /** Keeps the number of workspaces that a list without filters shows. */
  countWorkspaces(db: Queries, id: string, delta: number): Promise<number> {
    return db.run(addToCount, { id, delta });
  }
}

/** What somebody with that grant is shown. */
export function organizationView(organization: Organization, grant: Grant): OrganizationView {
  return { ...organization, grant, permissions: organizationPermissions(grant) };
}
