import type { Clock } from '../../../lib/clock.ts';
import { type Database, type Transaction, UniqueViolation } from '../../../storage/index.ts';
import type { Page, Slice } from '../../jsonapi/pagination.ts';
import type { ListedAccount } from '../federation/directory.ts';
import { makeEqual } from '../federation/managed-teams.ts';
import { usernameLike } from '../federation/mapping.ts';
import type { Admission } from '../user/admission.ts';
import type { User, Users } from '../user/users.ts';
import type { Condition } from './filter.ts';
import * as groups from './group-store.ts';
import { type Operation, patched } from './patch.ts';
import { type Json, type UserFields, userFields } from './resource.ts';
import { notThere, scimError } from './scim-error.ts';
import * as settings from './settings-store.ts';
import type { ScimUser } from './user-store.ts';
import * as store from './user-store.ts';

/** @limit users that the SCIM directory provisions, users -> 400 */
const MOST_USERS = 100_000;

export interface ScimUsersOptions {
  readonly database: Database;
  readonly clock: Clock;
  readonly users: Users;
  readonly admission: Admission;
}

/** Users of the directory: it creates, suspends and deletes them. The caller authenticates the request. */
export class ScimUsers {
  readonly #options: ScimUsersOptions;

  constructor(options: ScimUsersOptions) {
    this.#options = options;
  }

  /**
   * Lists users.
   * @throws 400 for an attribute that cannot be searched
   */
  list(conditions: readonly Condition[], page: Page): Promise<Slice<ScimUser>> {
    return store.listScimUsers(this.#options.database, conditions, page);
  }

  /**
   * Finds a user.
   * @throws 404 if the user does not exist
   */
  async find(id: string): Promise<ScimUser> {
    return present(await store.findScimUser(this.#options.database, id));
  }

  /**
   * Provisions a user. Takes over an existing account if an identity provider has reported this id for it, or by its
   * email address. Restores a deleted user.
   * @throws 409 if the name exists, or if the account was made a site administrator by hand
   */
  create(given: Json): Promise<ScimUser> {
    const fields = userFields(given);
    return this.#unit(async (tx) => {
      const before = await store.findScimUserByName(tx, fields.userName);
      if (before && !before.deleted) throw taken('userName');
      const vouched = fields.externalId === null ? undefined : await store.findVouchedAccount(tx, fields.externalId);
      if (before && (vouched === undefined || vouched === before.id)) return this.#write(tx, before, fields);
      if (before) await store.removeScimUser(tx, before.id);
      const known = vouched === undefined ? undefined : await store.findScimUser(tx, vouched);
      if (known && !known.deleted) throw taken('externalId');
      if (known) return this.#write(tx, known, fields);
      if ((await store.countScimUsers(tx, MOST_USERS)) >= MOST_USERS)
        throw scimError('tooMany', 'The limit of users is reached');
      const holder = vouched === undefined ? await this.#holder(tx, fields.email) : { id: vouched };
      const { id } = holder ?? (await this.#newAccount(tx, fields));
      const now = this.#options.clock();
      const blank = { createdAt: now, updatedAt: now, active: true, deleted: false, suspendedAt: null };
      return this.#write(tx, { id, ...blank, adopted: holder !== undefined, resource: {}, externalId: null }, fields);
    });
  }

  /**
   * Replaces a user.
   * @throws 404 if the user does not exist; 409 as `create`, and for the last site administrator
   */
  replace(id: string, given: Json): Promise<ScimUser> {
    return this.#unit(async (tx) => {
      const before = present(await store.findScimUser(tx, id));
      return this.#write(tx, before, userFields(given, before.active));
    });
  }

  /**
   * Changes parts of a user.
   * @throws as `replace`
   */
  patch(id: string, operations: readonly Operation[]): Promise<ScimUser> {
    return this.#unit(async (tx) => {
      const before = present(await store.findScimUser(tx, id));
      return this.#write(tx, before, userFields(patched(before.resource, operations), before.active));
    });
  }

  /**
   * Deletes a user: the account is suspended and leaves all groups, but keeps its history.
   * @throws as `replace`
   */
  delete(id: string): Promise<void> {
    return this.#unit(async (tx) => {
      const user = present(await store.findScimUser(tx, id));
      const account = await this.#options.users.present(tx, id);
      const suspendedAt = await this.#setActive(tx, account, user, false);
      await groups.leaveAllGroups(tx, id);
      await makeEqual(tx, this.#options.admission, account, { teams: [], isSiteAdmin: false });
      const userName = `${user.resource.userName}`;
      await store.putScimUser(tx, {
        ...user,
        userName,
        active: false,
        deleted: true,
        suspendedAt,
        updatedAt: this.#options.clock(),
      });
    });
  }

  /** Returns whether the directory is enabled. */
  async isOn(tx: Transaction): Promise<boolean> {
    return (await settings.readSettings(tx)).enabled;
  }

  /** Returns the account that an identity provider knows by the id of the directory. Returns undefined without one. */
  async accountOf(tx: Transaction, externalId: string): Promise<ListedAccount | undefined> {
    return (await this.isOn(tx)) ? store.findByExternalId(tx, externalId) : undefined;
  }

  async #write(tx: Transaction, before: ScimUser, fields: UserFields): Promise<ScimUser> {
    const { externalId, resource, userName, email, active } = fields;
    const { users } = this.#options;
    const account = await users.present(tx, before.id);
    if (email !== undefined && email.toLowerCase() !== account.email.toLowerCase()) {
      const holder = await users.holderOf(tx, email);
      if (holder && holder.id !== account.id) throw taken('emails');
      await users.readdress(tx, account, email);
    }
    const suspendedAt = await this.#setActive(tx, account, before, active);
    const updatedAt = this.#options.clock();
    const next = { ...before, externalId, resource, active, deleted: false, suspendedAt, updatedAt };
    await store.putScimUser(tx, { ...next, userName });
    return next;
  }

  /**
   * Suspends an account that the directory deactivates, even if an administrator had activated it. Activates only
   * accounts that the directory itself has suspended.
   * @returns time at which the directory suspended the account
   */
  async #setActive(tx: Transaction, account: User, user: ScimUser, active: boolean): Promise<number | null> {
    const isByDirectory = account.suspendedAt !== null && account.suspendedAt === user.suspendedAt;
    if (active) {
      if (isByDirectory) await this.#options.users.suspend(tx, account, null);
      return null;
    }
    if (account.suspendedAt !== null) return isByDirectory ? user.suspendedAt : null;
    if (account.siteAdmin === 1 && !(await store.hasOtherAdmin(tx, account.id))) {
      throw scimError(
        'mutability',
        'This is the last site administrator. Make another user a site administrator first',
      );
    }
    const now = this.#options.clock();
    await this.#options.users.suspend(tx, account, now);
    return now;
  }

  async #holder(tx: Transaction, email: string | undefined): Promise<User | undefined> {
    const holder = email === undefined ? undefined : await this.#options.users.holderOf(tx, email);
    if (holder === undefined) return undefined;
    const isTheirs = holder.siteAdmin === 0 && holder.organizationId === null;
    if (!isTheirs || (await store.findScimUser(tx, holder.id)) !== undefined) throw taken('emails');
    return holder;
  }

  #newAccount(tx: Transaction, { userName, email }: UserFields): Promise<User> {
    return this.#options.users.createLike(tx, usernameLike(userName), email);
  }

  async #unit<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    try {
      return await this.#options.database.transaction(work);
    } catch (error) {
      throw error instanceof UniqueViolation ? taken('userName') : error;
    }
  }
}

function present(user: ScimUser | undefined): ScimUser {
  if (user === undefined || user.deleted) throw notThere();
  return user;
}

const taken = (attribute: string) => scimError('uniqueness', `${attribute}: another user has it`);
