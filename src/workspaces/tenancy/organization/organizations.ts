import { type Database, type Queries, ReadThroughCache, type Transaction } from '../../../storage/index.ts';
import { notFound } from '../../jsonapi/errors.ts';
import type { Page, Slice } from '../../jsonapi/pagination.ts';
import { containing, type Fragment, fragment, isOneOf, selectSlice } from '../../query/dynamic.ts';
import { type Actor, grantIn, requirePermission } from '../permissions/actor.ts';
import type { Grant } from '../permissions/grants.ts';
import type { OrganizationPermission } from '../permissions/organization.ts';
import type { ServiceAccounts } from '../user/service-accounts.ts';
import {
  type Organization,
  type OrganizationSettings,
  type OrganizationView,
  organizationView,
} from './organization.ts';
import * as store from './store.ts';

export type { Organization, OrganizationView } from './organization.ts';

/** Filter by parts of the name and the email address, ignoring case. Empty values match all. */
export interface OrganizationFilter {
  /** Matches the name or the email address. */
  readonly query: string;
  readonly name: string;
  readonly email: string;
}

/** @limit organizations in the cache, organizations -> the least recently used one is read again */
const MAX_KEPT = 1000;

/** Finds organizations. `OrganizationCreation` (organization-lifecycle/creation.ts) creates them. */
export class Organizations {
  readonly #database: Database;
  /** Whether results are cached. */
  readonly #keeps: boolean;
  /** Read-through cache by name. */
  readonly #found: ReadThroughCache<Organization>;
  readonly #serviceAccounts: ServiceAccounts;
  readonly #recoversWorkspaces: boolean;

  /** @param recoversWorkspaces whether deleted workspaces can be restored for some time */
  constructor(database: Database, serviceAccounts: ServiceAccounts, recoversWorkspaces: boolean) {
    this.#database = database;
    this.#keeps = database.reading() !== undefined;
    this.#found = new ReadThroughCache(database, MAX_KEPT);
    this.#serviceAccounts = serviceAccounts;
    this.#recoversWorkspaces = recoversWorkspaces;
  }

  /** Reads an organization for `find` while the request is being authenticated. Returns undefined if it is cached. */
  prefetch(name: string): Promise<Organization | undefined> | undefined {
    return this.#keeps ? undefined : store.findOrganizationByName(this.#database, name);
  }

  /**
   * Finds an organization.
   * @param ahead result of `prefetch` for the same request
   * @throws 404 if the organization does not exist or the actor has no access; 401 for a member whose token the
   * organization refuses
   */
  async find(
    actor: Actor,
    name: string,
    permission: OrganizationPermission,
    prefetch?: Promise<Organization | undefined>,
  ): Promise<OrganizationView> {
    const organization = await (prefetch ??
      this.#found.get(name, () => store.findOrganizationByName(this.#database, name)));
    if (organization === undefined) throw notFound();
    const view = this.viewOf(organization, grantIn(actor, organization.id));
    requirePermission(view.permissions, permission);
    return view;
  }

  /** Returns the organization with the permissions that the grant gives. */
  viewOf(organization: Organization, grant: Grant): OrganizationView {
    return organizationView(organization, grant, this.#recoversWorkspaces);
  }

  /** Lists the organizations in which the actor has a grant, by name. Returns all of them without a page. */
  async list(actor: Actor, filter: OrganizationFilter, page?: Page): Promise<Slice<OrganizationView>> {
    const ids = [...actor.grants.keys()];
    const where = [isOneOf('id', ids), ...conditionsOf(filter)];
    const query = { columns: store.SHOWN, from: 'organization', where, orderBy: 'name' };
    const all = { number: 1, size: Math.max(1, ids.length), offset: 0 };
    const { items, total } = await selectSlice<store.OrganizationRow>(this.#database, query, page ?? all);
    return {
      items: items.map((row) => this.viewOf(store.organizationOf(row), grantIn(actor, row.id))),
      total,
    };
  }

  insert(tx: Transaction, organization: Organization, founderId: string): Promise<number> {
    return store.insertOrganization(tx, organization, founderId);
  }

  /** Updates the stored number of workspaces, which lists without filters show. */
  countWorkspaces(db: Queries, id: string, delta: number): Promise<number> {
    return store.countWorkspaces(db, id, delta);
  }

  /**
   * Returns settings for background tasks, without a permission check. Returns undefined if the organization is
   * deleted.
   */
  settingsOf(db: Queries, id: string): Promise<OrganizationSettings | undefined> {
    return store.settingsOf(db, id);
  }

  /** Locks the row until the transaction ends. Returns undefined if the organization is deleted or being deleted. */
  claim(tx: Transaction, id: string): Promise<Organization | undefined> {
    return store.claimOrganization(tx, id);
  }

  /** Sets the longest lifetime of accepted user tokens; null without a limit. Call `claim` first. */
  limitUserTokens(tx: Transaction, id: string, limit: number | null): Promise<number> {
    return store.limitUserTokens(tx, id, limit);
  }

  /**
   * Returns the service account that stands for the organization where a user is shown.
   * @throws 404 if the organization is deleted
   */
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
