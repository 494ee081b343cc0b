import type { Clock } from '../../../lib/clock.ts';
import { conflict } from '../../jsonapi/errors.ts';
import type { Page, Slice } from '../../jsonapi/pagination.ts';
import { type Actor, assertSiteAdmin, userOf } from '../permissions/actor.ts';
import { expiryOf } from '../token/expiry.ts';
import type { IssuedToken, TokenInput, Tokens } from '../token/tokens.ts';
import type { User, UserFilter, UserInput, Users } from '../user/users.ts';

interface SiteUsersOptions {
  readonly clock: Clock;
  readonly users: Users;
  readonly tokens: Tokens;
}

/** Manages the users of the server, for site administrators. Other actors get 404. */
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

  /**
   * Creates a user and accepts the invitations of the email address.
   * @throws 422 for values that are taken or invalid
   */
  async create(actor: Actor, input: UserInput & { readonly siteAdmin: boolean }): Promise<User> {
    assertSiteAdmin(actor);
    return this.#options.users.create(input);
  }

  /**
   * Issues a token for another user, as their first one or after all are lost. Existing tokens stay valid.
   * @throws 409 for a suspended user
   */
  async issueToken(actor: Actor, id: string, { description, expiresAt }: TokenInput): Promise<IssuedToken> {
    const { suspendedAt } = await this.find(actor, id);
    if (suspendedAt !== null) throw conflict('This user is suspended. Unsuspend them first');
    return this.#options.tokens.issue(id, { description, expiresAt: expiryOf(this.#options.clock(), expiresAt, null) });
  }

  /**
   * Suspends a user or ends the suspension. All tokens of a suspended user are refused.
   * @throws 409 for the actor themselves
   */
  async setSuspended(actor: Actor, id: string, isSuspended: boolean): Promise<User> {
    assertAnother(actor, id, 'suspend');
    return this.#options.users.markSuspended(id, isSuspended ? this.#options.clock() : null);
  }

  /**
   * Makes a user a site administrator or an ordinary user.
   * @throws 409 for the actor themselves
   */
  async setSiteAdmin(actor: Actor, id: string, isAdmin: boolean): Promise<User> {
    assertAnother(actor, id, 'take this from');
    return this.#options.users.markSiteAdmin(id, isAdmin);
  }
}

/** An actor cannot change themselves, because otherwise the last site administrator could lock out every user. */
function assertAnother(actor: Actor, id: string, verb: string): void {
  assertSiteAdmin(actor);
  if (userOf(actor).id === id) throw conflict(`You cannot ${verb} yourself. Ask another site administrator`);
}
