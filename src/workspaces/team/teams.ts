import type { Clock } from '../../lib/clock.ts';
import { prefixedId } from '../../lib/ids.ts';
import type { Database, Transaction } from '../../storage/index.ts';
import { notFound, unprocessable } from '../jsonapi/errors.ts';
import type { Page, Slice } from '../jsonapi/pagination.ts';
import { checkName, takingName } from '../names.ts';
import type { Organizations } from '../organization/organizations.ts';
import { type Actor, grantIn, requirePermission } from '../permissions/actor.ts';
import { NO_ACCESS, type OrganizationAccess, parseAccess } from '../permissions/grants.ts';
import { type TeamPermission, teamPermissions } from '../permissions/organization.ts';
import * as store from './store.ts';

/** A group of users and machines with the same rights. */
export interface Team {
  readonly id: string;
  readonly organizationId: string;
  readonly organizationName: string;
  readonly name: string;
  /** The one team of each organization that may do everything in it, and stays. */
  readonly owners: boolean;
  readonly visibility: store.Visibility;
  readonly access: OrganizationAccess;
  readonly userCount: number;
}

/** A team and what the actor may do with it. */
export interface TeamView extends Team {
  readonly permissions: Readonly<Record<TeamPermission, boolean>>;
}

/** What is absent keeps its value, or has its default in a new team. */
export interface TeamInput {
  readonly name?: string;
  readonly visibility?: store.Visibility;
  readonly access?: Partial<OrganizationAccess>;
}

/** Teams of an organization. What a user may do comes from the teams they are in. */
export class Teams {
  readonly #database: Database;
  readonly #clock: Clock;
  readonly #organizations: Organizations;

  constructor(database: Database, clock: Clock, organizations: Organizations) {
    this.#database = database;
    this.#clock = clock;
    this.#organizations = organizations;
  }

  /** @throws 404 when there is none, or the actor may not. */
  async find(actor: Actor, id: string, permission: TeamPermission): Promise<TeamView> {
    const row = await store.byId(this.#database, id);
    if (row === undefined) throw notFound();
    const view = viewOf(actor, row);
    requirePermission(view.permissions, permission);
    return view;
  }

  /** Of those with these ids, the ones that the actor may read. */
  async readable(actor: Actor, ids: readonly string[]): Promise<TeamView[]> {
    const rows = await store.byIds(this.#database, ids);
    return rows
      .filter(({ organizationId }) => actor.grants.has(organizationId))
      .map((row) => viewOf(actor, row))
      .filter(({ permissions }) => permissions['can-read']);
  }

  /** Those that the actor may read, by name. `names` leaves those that are called one of them. */
  async list(actor: Actor, organization: string, names: readonly string[], page: Page): Promise<Slice<TeamView>> {
    const { id, grant } = await this.#organizations.find(actor, organization, 'can-traverse');
    const { items, total } = await store.list(this.#database, id, grant, names, page);
    return { items: items.map((row) => viewOf(actor, row)), total };
  }

  async create(actor: Actor, organizationName: string, input: TeamInput & { name: string }): Promise<TeamView> {
    const organization = await this.#organizations.find(actor, organizationName, 'can-create-team');
    checkName(input.name);
    const id = prefixedId('team', this.#clock());
    const { name, visibility = 'secret', access } = input;
    const team = { id, organizationId: organization.id, name, visibility, access: { ...NO_ACCESS, ...access } };
    await takingName(() => store.insert(this.#database, { ...team, owners: false, createdAt: this.#clock() }));
    return this.find(actor, id, 'can-read');
  }

  /** The team that a new organization begins with, and its first member. */
  async createOwners(tx: Transaction, organizationId: string, userId: string): Promise<string> {
    const createdAt = this.#clock();
    const id = prefixedId('team', createdAt);
    const team = { id, organizationId, name: 'owners', visibility: 'secret', access: NO_ACCESS } as const;
    await store.insert(tx, { ...team, owners: true, createdAt });
    await store.addMember(tx, id, userId);
    return id;
  }

  async update(actor: Actor, id: string, input: TeamInput): Promise<TeamView> {
    await this.#changeable(actor, id, 'can-update-organization-access');
    if (input.name !== undefined) checkName(input.name);
    await takingName(() =>
      this.#database.transaction(async (tx) => {
        const current = await store.updateNames(tx, id, input.name, input.visibility);
        if (current === undefined) throw notFound();
        if (input.access) await store.updateAccess(tx, id, { ...parseAccess(current.access), ...input.access });
      }),
    );
    return this.find(actor, id, 'can-read');
  }

  async delete(actor: Actor, id: string): Promise<void> {
    await this.#changeable(actor, id, 'can-destroy');
    await store.remove(this.#database, id);
  }

  /** An owner is told that the owners team stays as it is; everybody else is told nothing. */
  async #changeable(actor: Actor, id: string, permission: TeamPermission): Promise<void> {
    const team = await this.find(actor, id, 'can-read');
    if (team.owners) throw unprocessable([{ detail: 'The owners team cannot be changed or deleted' }]);
    requirePermission(team.permissions, permission);
  }
}

function viewOf(actor: Actor, { access, owners, ...row }: store.TeamRow): TeamView {
  const team = { ...row, owners: owners === 1, access: parseAccess(access) };
  return { ...team, permissions: teamPermissions(grantIn(actor, team.organizationId), team) };
}
