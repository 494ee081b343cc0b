import { type Database, type Queries, ReadThroughCache, type Transaction } from '../../../storage/index.ts';
import { notFound } from '../../jsonapi/errors.ts';
import type { Page, Slice } from '../../jsonapi/pagination.ts';
import { containing, type Fragment, fragment, isOneOf, selectSlice } from '../../query/dynamic.ts';
import { type Actor, grantIn, requirePermission } from '../permissions/actor.ts';
import type { OrganizationPermission } from '../permissions/organization.ts';
import type { ServiceAccounts } from '../user/service-accounts.ts';
import {
  type Organization,
  type OrganizationSettings,
  type OrganizationView,
  organizationView,
} from './organization.ts';
import * as store from './store.ts';

export { type Organization, type OrganizationView, organizationView } from './organization.ts';

/** Parts of names and addresses, whatever the case. Empty for any. */
export interface OrganizationFilter {
  /** Of either. */
  readonly query: string;
  readonly name: string;
  readonly email: string;
}

/** @limit organizations in memory, organizations -> the one unused for longest is read again */
const MAX_KEPT = 1000;

/** Finds organizations. They are founded by `found` (organization-lifecycle/creation.ts), with what belongs to a new one. */
export class Organizations {
  readonly #database: Database;
  /** Whether what is found is kept. */
  readonly #keeps: boolean;
  /** By name. */
  readonly #found: ReadThroughCache<Organization>;
  readonly #serviceAccounts: ServiceAccounts;

  constructor(database: Database, serviceAccounts: ServiceAccounts) {
    this.#database = database;
    this.#keeps = database.reading() !== undefined;
    this.#found = new ReadThroughCache(database, MAX_KEPT);
    this.#serviceAccounts = serviceAccounts;
  }

  /** Reads one for `find`, while it is not known yet who asks. Undefined where it is kept. */
  ahead(name: string): Promise<Organization | undefined> | undefined {
    return this.#keeps ? undefined : store.findOrganizationByName(this.#database, name);
  }

  /**
   * @param ahead what has been read for the same request
   * @throws 404 when there is none of that name, or the actor may not; 401 for a member whose token is not taken here.
   */
  async find(
    actor: Actor,
    name: string,
    permission: OrganizationPermission,
    ahead?: Promise<Organization | undefined>,
  ): Promise<OrganizationView> {
    const organization = await (ahead ??
      this.#found.get(name, () => store.findOrganizationByName(this.#database, name)));
    if (organization === undefined) throw notFound();
    const view = organizationView(organization, grantIn(actor, organization.id));
    requirePermission(view.permissions, permission);
    return view;
  }

  /** Those in which the actor has any grant, by name. Without a page, all of them. */
  async list(actor: Actor, filter: OrganizationFilter, page?: Page): Promise<Slice<OrganizationView>> {
    const ids = [...actor.grants.keys()];
    const where = [isOneOf('id', ids), ...conditionsOf(filter)];
    const query = { columns: store.SHOWN, from: 'organization', where, orderBy: 'name' };
    const all = { number: 1, size: Math.max(1, ids.length), offset: 0 };
    const { items, total } = await selectSlice<store.OrganizationRow>(this.#database, query, page ?? all);
    return {
      items: items.map((row) => organizationView(store.organizationOf(row), grantIn(actor, row.id))),
      total,
    };
  }

  insert(tx: Transaction, organization: Organization): Promise<number> {
    return store.insertOrganization(tx, organization);
  }

  /** Keeps the number of workspaces that a list without filters shows. */
  countWorkspaces(db: Queries, id: string, delta: number): Promise<number> {
    return store.countWorkspaces(db, id, delta);
  }

  /** For what no one asks for. Undefined when it is gone. */
  settingsOf(db: Queries, id: string): Promise<OrganizationSettings | undefined> {
    return store.settingsOf(db, id);
  }

  /** Locks the row for the rest of the unit of work. Undefined when it is gone, or going. */
  claim(tx: Transaction, id: string): Promise<Organization | undefined> {
    return store.claimOrganization(tx, id);
  }

  /** After `claim`. How long a user's token may live to be taken; null for any. */
  limitUserTokens(tx: Transaction, id: string, limit: number | null): Promise<number> {
    return store.limitUserTokens(tx, id, limit);
  }

  /** The account that stands for the organization where a user is shown. @throws 404 when it is gone */
  async serviceAccount(tx: Transaction, id: string): Promise<string> {
    const current = await store.claimOrganization(tx, id);
    if (current === undefined) throw notFound();
    if (current.serviceAccountId !== null) return current.serviceAccountId;
    const accountId = await this.#serviceAccounts.create(tx, current.name);
    await store.setServiceAccount(tx, id, accountId);
    return accountId;
  }
}

function conditionsOf({ query, name, email }: OrganizationFilter): Fragment[] {
  const contains = (column: string, part: string) =>
    fragment`lower(${fragment.raw(column)}) like ${containing(part.toLowerCase())} escape '\\'`;
  return [
    ...(query === '' ? [] : [fragment`(${contains('name', query)} or ${contains('email', query)})`]),
    ...(name === '' ? [] : [contains('name', name)]),
    ...(email === '' ? [] : [contains('email', email)]),
  ];
}
