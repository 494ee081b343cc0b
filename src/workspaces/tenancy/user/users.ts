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

/** What makes somebody known. */
export interface UserInput {
  readonly username: string;
  readonly email: string;
  /** Sets the installation up. */
  readonly siteAdmin?: boolean;
}

/** People. */
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
   * For the operator and for site administrators, which was asked before. Whoever was invited under the address is a member from now on.
   * @throws 422 when the name or the address is taken or breaks the rule
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
   * For the commands of the operator, who knows whose address it is. Whoever was invited under it is a member from now on.
   * @throws 422 when it is taken or is none
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

  /** For the commands of the operator. @throws 404 */
  async setSiteAdmin(username: string, isAdmin: boolean): Promise<void> {
    const user = await store.findUserByUsername(this.#database, username);
    if (user === undefined) throw notFound();
    await this.markSiteAdmin(user.id, isAdmin);
  }

  /** Everybody; who may ask has been asked before, here and in the next four. */
  people(filter: UserFilter, page: Page): Promise<Slice<User>> {
    return store.listUsers(this.#database, filter, page);
  }

  /** @throws 404 for whoever is no person */
  async person(id: string): Promise<User> {
    const user = await store.findUser(this.#database, id);
    if (user === undefined || !isPerson(user)) throw notFound();
    return user;
  }

  /** @throws 404 for whoever is no person */
  async markSiteAdmin(id: string, isAdmin: boolean): Promise<User> {
    const user = await this.person(id);
    if (isAdmin) assertFree(user);
    const siteAdmin = Number(isAdmin);
    await store.setSiteAdmin(this.#database, id, siteAdmin);
    return { ...user, siteAdmin };
  }

  /** Since when they are kept out; null for whoever is let in. @throws 404 for whoever is no person */
  async markSuspended(id: string, since: number | null): Promise<User> {
    const user = await this.person(id);
    const suspendedAt = since && (user.suspendedAt ?? since);
    await store.setSuspended(this.#database, id, suspendedAt);
    return { ...user, suspendedAt };
  }

  /** For the commands of the operator. @throws 404 */
  async personNamed(username: string): Promise<User> {
    const user = await store.findUserByUsername(this.#database, username);
    if (user === undefined || !isPerson(user)) throw notFound();
    return user;
  }

  /** Who sets the installation up, and has done so longest. */
  firstSiteAdmin(): Promise<User | undefined> {
    return store.firstSiteAdmin(this.#database);
  }

  byUsername(username: string): Promise<User | undefined> {
    return store.findUserByUsername(this.#database, username);
  }

  /** Only a user has an account. @throws 404 for a machine */
  account(actor: Actor): Promise<User> {
    return this.find(actor, userOf(actor).id);
  }

  /**
   * A new name has effect at once. A new address waits until the operator confirms it: who could choose their own would
   * be let in wherever its holder is invited.
   * @throws 404 for a machine, 422 for what is taken or breaks a rule
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

  /** Oneself, and whoever is in an organization of the actor's. @throws 404 for anybody else */
  async find(actor: Actor, id: string): Promise<User> {
    const user = await store.findUser(this.#database, id);
    if (user === undefined) throw notFound();
    if (actor.kind === 'user' && actor.id === id) return user;
    const organizations = await store.organizationsOf(this.#database, id);
    if (!organizations.some(({ organizationId }) => actor.grants.has(organizationId))) throw notFound();
    return user;
  }

  /** Whoever has the address, inside a unit of work of another. */
  holderOf(db: Queries, email: string): Promise<User | undefined> {
    return store.findUserByEmail(db, email);
  }

  /**
   * Somebody for whom a provider vouches, inside a unit of work of another, under a free name like the one that is wished. Whoever
   * was invited under the address is a member from now on.
   * @param email absent: nobody knows one, and no invitation can be theirs
   * @param organizationId whose own provider vouches for them
   */
  async createLike(tx: Transaction, wished: string, email: string | undefined, organizationId?: string): Promise<User> {
    const username = await freeName(tx, wished);
    if (email === undefined || !isEmail(email)) {
      return this.#insert(tx, { username, email: `${randomUUID()}@no-address.invalid`, organizationId }, 0);
    }
    const user = await this.#insert(tx, { username, email }, 0);
    await this.#admission.accept(tx, user.id, email);
    return user;
  }

  /** Gives somebody the address that whoever vouches for them knows, inside a unit of work of another. Whoever was invited under it is a member. */
  async readdress(tx: Transaction, user: User, email: string): Promise<void> {
    await store.updateUser(tx, { ...user, email, unconfirmedEmail: null });
    await this.#admission.accept(tx, user.id, email);
    await this.#admission.readdress(tx, user.id, email);
  }

  /** Since when they are kept out, inside a unit of work of another; null lets them in. */
  async suspend(tx: Transaction, user: User, since: number | null): Promise<void> {
    await store.setSuspended(tx, user.id, since && (user.suspendedAt ?? since));
  }

  /** Somebody with a name or an id, for whoever was asked before. Undefined for an invitation, and for what is no person. */
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

  /** Those with these ids, to show who holds what the actor may see. */
  named(ids: readonly string[]): Promise<User[]> {
    return store.findUsers(this.#database, ids);
  }

  /** Somebody who is there, inside a unit of work of another. @throws 404 */
  async present(db: Queries, id: string): Promise<User> {
    const user = await store.findUser(db, id);
    if (user === undefined) throw notFound();
    return user;
  }

  /**
   * What stands for one who is invited, in one organization. Each invitation has its own: whether somebody has an account
   * under the address, or is invited elsewhere, is neither looked up nor told.
   */
  placeholder(tx: Transaction, email: string): Promise<User> {
    return this.#insert(tx, { username: '', email: foldedEmail(email) }, 1);
  }

  /** A placeholder has its id for a name. */
  async #insert(tx: Transaction, input: UserInput & { organizationId?: string | undefined }, invited: number) {
    const { username, email, siteAdmin = false, organizationId = null } = input;
    const createdAt = this.#clock();
    const id = prefixedId('user', createdAt);
    const flags = { service: 0, invited, siteAdmin: Number(siteAdmin), suspendedAt: null, organizationId };
    const user: User = { id, username: username || id, email, unconfirmedEmail: null, ...flags, createdAt };
    await store.insertUser(tx, user);
    return user;
  }
}

/** @limit names that are tried beside the one somebody wishes, names -> one that nobody guesses */
const MOST_TRIES = 20;

async function freeName(db: Queries, wished: string): Promise<string> {
  for (let tried = 1; tried <= MOST_TRIES; tried++) {
    const name = tried === 1 ? wished : `${wished}-${tried}`;
    if ((await store.findUserByUsername(db, name)) === undefined) return name;
  }
  return `${wished}-${randomUUID().slice(0, 8)}`;
}

/** @throws 422 for somebody of one organization alone: its owners could be them by their provider */
export function assertFree({ organizationId }: User): void {
  if (organizationId === null) return;
  throw unprocessable([
    { detail: 'This user signs in with the provider of an organization, and is of that one alone' },
  ]);
}

const isPerson = ({ service, invited }: User): boolean => service === 0 && invited === 0;

function check({ username, email }: UserInput): void {
  const issues: Issue[] = [];
  if (!USERNAME.test(username) || username.startsWith(SERVICE_PREFIX)) {
    const rule = 'Username has 1 to 60 letters, digits, dots, - and _, and begins with a letter or digit';
    issues.push(attributeIssue('username', `${rule}, but not with ${SERVICE_PREFIX}`));
  }
  if (!isEmail(email)) issues.push(attributeIssue('email', 'Email is not an address'));
  if (issues.length > 0) throw unprocessable(issues);
}

async function takingUsername<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw error instanceof UniqueViolation ? alreadyTaken('username') : error;
  }
}
