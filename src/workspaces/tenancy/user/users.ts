import { randomUUID } from 'node:crypto';
import type { Clock } from '../../../lib/clock.ts';
import type { Issue } from '../../../lib/errors.ts';
import { prefixedId } from '../../../lib/ids.ts';
import { type Database, type Queries, type Transaction, UniqueViolation } from '../../../storage/index.ts';
import { alreadyTaken, attributeIssue, notFound, unprocessable } from '../../jsonapi/errors.ts';
import type { Page, Slice } from '../../jsonapi/pagination.ts';
import { type Actor, userOf } from '../permissions/actor.ts';
import type { Admission } from './admission.ts';
import { foldedEmail, isEmail } from './email.ts';
import { SERVICE_PREFIX } from './service-accounts.ts';
import type { User, UserFilter } from './store.ts';
import * as store from './store.ts';

export type { User, UserFilter } from './store.ts';

const USERNAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,59}$/;

/** Fields of a user. */
export interface UserInput {
  readonly username: string;
  readonly email: string;
  /** True for a site administrator. */
  readonly siteAdmin?: boolean;
}

interface NewUser extends UserInput {
  readonly id?: string;
  readonly organizationId?: string | undefined;
  readonly unconfirmedEmail?: string | null;
}

/** Manages users. */
export class Users {
  readonly #database: Database;
  readonly #clock: Clock;
  readonly #admission: Admission;

  constructor(database: Database, clock: Clock, admission: Admission) {
    this.#database = database;
    this.#clock = clock;
    this.#admission = admission;
  }

  /**
   * Creates a user, for the operator and site administrators. The caller checks permissions. Accepts the invitations
   * of the email address.
   * @throws 422 if the name or the email address is taken or invalid
   */
  async create(input: UserInput): Promise<User> {
    check(input);
    return takingUsername(() =>
      this.#database.transaction(async (tx) => {
        if ((await store.findUserByEmail(tx, input.email)) !== undefined) throw alreadyTaken('email');
        const user = await this.#insert(tx, input, 0);
        await this.#admission.accept(tx, user.id, user.email);
        return user;
      }),
    );
  }

  /**
   * Confirms an email address, for the operator's commands. Accepts the invitations of the address.
   * @throws 422 if the address is taken or invalid
   */
  async confirmEmail(username: string, email: string): Promise<User> {
    check({ username, email });
    return this.#database.transaction(async (tx) => {
      const user = await store.findUserByUsername(tx, username);
      if (user === undefined || user.service === 1 || user.invited === 1) throw notFound();
      assertFree(user);
      const holder = await store.findUserByEmail(tx, email);
      if (holder !== undefined && holder.id !== user.id) throw alreadyTaken('email');
      const changed = { ...user, email, unconfirmedEmail: null };
      await store.updateUser(tx, changed);
      await this.#admission.accept(tx, user.id, email);
      await this.#admission.readdress(tx, user.id, email);
      return changed;
    });
  }

  /**
   * Makes a user a site administrator or an ordinary user, for the operator's commands.
   * @throws 404
   */
  async setSiteAdmin(username: string, isAdmin: boolean): Promise<void> {
    const user = await store.findUserByUsername(this.#database, username);
    if (user === undefined) throw notFound();
    await this.markSiteAdmin(user.id, isAdmin);
  }

  /** Lists all users. The caller checks permissions, as for the next four methods. */
  people(filter: UserFilter, page: Page): Promise<Slice<User>> {
    return store.listUsers(this.#database, filter, page);
  }

  /**
   * Finds a user.
   * @throws 404 unless the id is a user's
   */
  async person(id: string): Promise<User> {
    const user = await store.findUser(this.#database, id);
    if (user === undefined || !isPerson(user)) throw notFound();
    return user;
  }

  /**
   * Makes a user a site administrator or an ordinary user.
   * @throws 404 unless the id is a user's
   */
  async markSiteAdmin(id: string, isAdmin: boolean): Promise<User> {
    const user = await this.person(id);
    if (isAdmin) assertFree(user);
    const siteAdmin = Number(isAdmin);
    await store.setSiteAdmin(this.#database, id, siteAdmin);
    return { ...user, siteAdmin };
  }

  /**
   * Suspends a user since the given time; null ends the suspension.
   * @throws 404 unless the id is a user's
   */
  async markSuspended(id: string, since: number | null): Promise<User> {
    const user = await this.person(id);
    const suspendedAt = since && (user.suspendedAt ?? since);
    await store.setSuspended(this.#database, id, suspendedAt);
    return { ...user, suspendedAt };
  }

  /**
   * Finds a user for the operator's commands.
   * @throws 404
   */
  async personNamed(username: string): Promise<User> {
    const user = await store.findUserByUsername(this.#database, username);
    if (user === undefined || !isPerson(user)) throw notFound();
    return user;
  }

  /** Returns the oldest site administrator. */
  firstSiteAdmin(): Promise<User | undefined> {
    return store.firstSiteAdmin(this.#database);
  }

  byUsername(username: string): Promise<User | undefined> {
    return store.findUserByUsername(this.#database, username);
  }

  /**
   * Returns the caller's account.
   * @throws 404 for an actor that is not a user
   */
  account(actor: Actor): Promise<User> {
    return this.find(actor, userOf(actor).id);
  }

  /**
   * Changes the caller's account. A new name has effect at once. The operator must confirm a new email address,
   * because it accepts invitations: otherwise a user could take the invitations of another.
   * @throws 404 for an actor that is not a user; 422 for values that are taken or invalid
   */
  async update(actor: Actor, input: Partial<UserInput>): Promise<User> {
    const { id } = userOf(actor);
    return takingUsername(() =>
      this.#database.transaction(async (tx) => {
        const user = await store.findUser(tx, id);
        if (user === undefined) throw notFound();
        const { username = user.username, email } = input;
        check({ username, email: email ?? user.email });
        const wished = email === undefined ? user.unconfirmedEmail : email === user.email ? null : email;
        const changed = { ...user, username, unconfirmedEmail: wished };
        await store.updateUser(tx, changed);
        return changed;
      }),
    );
  }

  /**
   * Returns the caller, or a user who shares an organization with the caller.
   * @throws 404 for other users
   */
  async find(actor: Actor, id: string): Promise<User> {
    const user = await store.findUser(this.#database, id);
    if (user === undefined) throw notFound();
    if (actor.kind === 'user' && actor.id === id) return user;
    const organizations = await store.organizationsOf(this.#database, id);
    if (!organizations.some(({ organizationId }) => actor.grants.has(organizationId))) throw notFound();
    return user;
  }

  /** Returns the user with an email address, in the caller's transaction. */
  holderOf(db: Queries, email: string): Promise<User | undefined> {
    return store.findUserByEmail(db, email);
  }

  /**
   * Creates a user that an identity provider has authenticated, in the caller's transaction. Picks a free name similar
   * to the wished one. Accepts the invitations of the email address.
   * @param email absent if it is unknown: then no invitation is accepted
   * @param organizationId organization whose own provider has authenticated the user
   */
  async createLike(tx: Transaction, wished: string, email: string | undefined, organizationId?: string): Promise<User> {
    const username = await freeName(tx, wished);
    if (email === undefined || !isEmail(email)) {
      return this.#insert(tx, { username, email: noAddress(), organizationId }, 0);
    }
    const user = await this.#insert(tx, { username, email }, 0);
    await this.#admission.accept(tx, user.id, email);
    return user;
  }

  /**
   * Checks the name of a new user.
   * @throws 422 for an invalid or taken name
   */
  async assertFreeName(username: string): Promise<void> {
    check({ username, email: NO_EMAIL });
    if ((await store.findUserByUsername(this.#database, username)) !== undefined) throw alreadyTaken('username');
  }

  /**
   * Creates a user with a given id and name, in the caller's transaction, which runs in `takingUsername`.
   * @param input.isProved whether the user has proved to read the mailbox; otherwise the operator has to confirm it
   * @throws 422 for an invalid name; `UniqueViolation` for a taken one
   */
  async createNamed(
    tx: Transaction,
    { id, username, email, isProved }: { id: string; username: string; email: string; isProved: boolean },
  ): Promise<User> {
    check({ username, email });
    const address = isProved ? email : noAddress();
    return this.#insert(tx, { id, username, email: address, unconfirmedEmail: isProved ? null : email }, 0);
  }

  /**
   * Sets the email address that the identity provider or directory reports, in the caller's transaction. Accepts the
   * invitations of the address.
   */
  async readdress(tx: Transaction, user: User, email: string): Promise<void> {
    await store.updateUser(tx, { ...user, email, unconfirmedEmail: null });
    await this.#admission.accept(tx, user.id, email);
    await this.#admission.readdress(tx, user.id, email);
  }

  /** Suspends a user since the given time, in the caller's transaction; null ends the suspension. */
  async suspend(tx: Transaction, user: User, since: number | null): Promise<void> {
    await store.setSuspended(tx, user.id, since && (user.suspendedAt ?? since));
  }

  /**
   * Finds a user by name or id. The caller checks permissions. Returns undefined for placeholders of invitations and
   * for service accounts.
   */
  async known({
    id,
    username = '',
  }: {
    readonly id?: string;
    readonly username?: string | undefined;
  }): Promise<User | undefined> {
    const database = this.#database;
    const user = await (id === undefined ? store.findUserByUsername(database, username) : store.findUser(database, id));
    return user && isPerson(user) ? user : undefined;
  }

  /** Returns the users with these ids, to show names beside resources that the actor may see. */
  named(ids: readonly string[]): Promise<User[]> {
    return store.findUsers(this.#database, ids);
  }

  /**
   * Returns an existing user, in the caller's transaction.
   * @throws 404
   */
  async present(db: Queries, id: string): Promise<User> {
    const user = await store.findUser(db, id);
    if (user === undefined) throw notFound();
    return user;
  }

  /**
   * Creates the placeholder for an invited user in one organization. Each invitation has its own, so that no
   * organization learns whether the email address has an account or other invitations.
   */
  placeholder(tx: Transaction, email: string): Promise<User> {
    return this.#insert(tx, { username: '', email: foldedEmail(email) }, 1);
  }

  /** A placeholder has its id as name. */
  async #insert(tx: Transaction, input: NewUser, invited: number) {
    const { username, email, siteAdmin = false, organizationId = null, unconfirmedEmail = null } = input;
    const createdAt = this.#clock();
    const { id = prefixedId('user', createdAt) } = input;
    const flags = { service: 0, invited, siteAdmin: Number(siteAdmin), suspendedAt: null, organizationId };
    const user: User = { id, username: username || id, email, unconfirmedEmail, ...flags, createdAt };
    await store.insertUser(tx, user);
    return user;
  }
}

/** An address of nobody, for users without a confirmed one. */
const NO_EMAIL = 'user@no-address.invalid';
const noAddress = () => `${randomUUID()}@no-address.invalid`;

/** @limit variants of a requested user name that are tried, names -> a random name is used */
const MOST_TRIES = 20;

async function freeName(db: Queries, wished: string): Promise<string> {
  for (let tried = 1; tried <= MOST_TRIES; tried++) {
    const name = tried === 1 ? wished : `${wished}-${tried}`;
    if ((await store.findUserByUsername(db, name)) === undefined) return name;
  }
  return `${wished}-${randomUUID().slice(0, 8)}`;
}

/**
 * Checks that a user may join or create another organization.
 * @throws 422 for a user of one organization's identity provider: the owners of that organization could sign in as
 * them
 */
export function assertFree({ organizationId }: User): void {
  if (organizationId === null) return;
  throw unprocessable([
    { detail: 'This user signs in with the identity provider of one organization and can only be a member of it' },
  ]);
}

const isPerson = ({ service, invited }: User): boolean => service === 0 && invited === 0;

function check({ username, email }: UserInput): void {
  const issues: Issue[] = [];
  if (!USERNAME.test(username) || username.startsWith(SERVICE_PREFIX)) {
    const rule = 'Username must have 1 to 60 letters, digits, dots, - and _, and start with a letter or digit';
    issues.push(attributeIssue('username', `${rule}, but not with ${SERVICE_PREFIX}`));
  }
  if (!isEmail(email)) issues.push(attributeIssue('email', 'Email is not a valid email address'));
  if (issues.length > 0) throw unprocessable(issues);
}

/**
 * Runs `work`, which stores a unique user name.
 * @throws 422 if the name is taken
 */
export async function takingUsername<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw error instanceof UniqueViolation ? alreadyTaken('username') : error;
  }
}
