import type { Clock } from '../../../lib/clock.ts';
import { conflict } from '../../jsonapi/errors.ts';
import type { Page, Slice } from '../../jsonapi/pagination.ts';
import { type Actor, assertSiteAdmin, userOf } from '../permissions/actor.ts';
import { expiryOf } from '../token/expiry.ts';
import type { IssuedToken, TokenInput, Tokens } from '../token/tokens.ts';
import type { User, UserFilter, UserInput, Users } from '../user/users.ts';

/** What the service works with. */
interface SiteUsersOptions {
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
    return this.#options.users.people(filter, page);
  }

  async find(actor: Actor, id: string): Promise<User> {
    assertSiteAdmin(actor);
    return this.#options.users.person(id);
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
    return this.#options.users.markSuspended(id, isSuspended ? this.#options.clock() : null);
  }

  /** @throws 409 for oneself */
  async setSiteAdmin(actor: Actor, id: string, isAdmin: boolean): Promise<User> {
    assertAnother(actor, id, 'take this from');
    return this.#options.users.markSiteAdmin(id, isAdmin);
  }
}

/** Or the last one could lock everybody out. */
function assertAnother(actor: Actor, id: string, verb: string): void {
  assertSiteAdmin(actor);
  if (userOf(actor).id === id) throw conflict(`You cannot ${verb} yourself: another site administrator can`);
}
