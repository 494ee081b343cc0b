import type { Clock } from '../../../lib/clock.ts';
import type { Database } from '../../../storage/index.ts';
import { conflict, notFound } from '../../jsonapi/errors.ts';
import type { Page, Slice } from '../../jsonapi/pagination.ts';
import { type Actor, userOf } from '../permissions/actor.ts';
import { expiryOf } from '../token/expiry.ts';
import type { IssuedToken, TokenInput, Tokens } from '../token/tokens.ts';
import type { User, UserFilter } from '../user/store.ts';
import * as store from '../user/store.ts';
import type { UserInput, Users } from '../user/users.ts';

/** What the service works with. */
interface SiteUsersOptions {
  readonly database: Database;
  readonly clock: Clock;
  readonly users: Users;
  readonly tokens: Tokens;
}

/** The people of the installation, for its administrators; for everybody else there is nothing here. */
export class SiteUsers {
  readonly #options: SiteUsersOptions;

  constructor(options: SiteUsersOptions) {
    this.#options = options;
  }

  async list(actor: Actor, filter: UserFilter, page: Page): Promise<Slice<User>> {
    assertSiteAdmin(actor);
    return store.people(this.#options.database, filter, page);
  }

  async find(actor: Actor, id: string): Promise<User> {
    assertSiteAdmin(actor);
    return this.#person(id);
  }

  /** Whoever was invited under the address is a member from now on. @throws 422 for what is taken or breaks a rule */
  async create(actor: Actor, input: UserInput & { readonly siteAdmin: boolean }): Promise<User> {
    assertSiteAdmin(actor);
    return this.#options.users.create(input);
  }

  /** A token of somebody else's, for its first one or when all are lost. Those before it stay. @throws 409 for one who is suspended */
  async issueToken(actor: Actor, id: string, { description, expiresAt }: TokenInput): Promise<IssuedToken> {
    const { suspendedAt } = await this.find(actor, id);
    if (suspendedAt !== null) throw conflict('This user is suspended: unsuspend them first');
    return this.#options.tokens.issue(id, { description, expiresAt: expiryOf(this.#options.clock(), expiresAt, null) });
  }

  /** From now on no token of theirs lets anybody in; or as before. @throws 409 for oneself */
  async setSuspended(actor: Actor, id: string, isSuspended: boolean): Promise<User> {
    assertAnother(actor, id, 'suspend');
    const user = await this.find(actor, id);
    const suspendedAt = isSuspended ? (user.suspendedAt ?? this.#options.clock()) : null;
    await store.setSuspended(this.#options.database, id, suspendedAt);
    return { ...user, suspendedAt };
  }

  /** @throws 409 for oneself */
  async setSiteAdmin(actor: Actor, id: string, isAdmin: boolean): Promise<User> {
    assertAnother(actor, id, 'take this from');
    const user = await this.find(actor, id);
    const siteAdmin = Number(isAdmin);
    await store.setSiteAdmin(this.#options.database, id, siteAdmin);
    return { ...user, siteAdmin };
  }

  async #person(id: string): Promise<User> {
    const user = await store.byId(this.#options.database, id);
    if (user === undefined || user.service === 1 || user.invited === 1) throw notFound();
    return user;
  }
}

function assertSiteAdmin(actor: Actor): void {
  if (actor.kind !== 'user' || !actor.siteAdmin) throw notFound();
}

/** Or the last one could lock everybody out. */
function assertAnother(actor: Actor, id: string, verb: string): void {
  assertSiteAdmin(actor);
  if (userOf(actor).id === id) throw conflict(`You cannot ${verb} yourself: another site administrator can`);
}
