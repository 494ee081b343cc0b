import { Buffer } from 'node:buffer';
import type { Clock } from '../../../lib/clock.ts';
import { AppError } from '../../../lib/errors.ts';
import type { Keyring } from '../../../storage/index.ts';
import type { Slice } from '../../jsonapi/pagination.ts';
import type { Authentication } from '../authentication/authentication.ts';
import type { Memberships, MembershipView } from '../membership/memberships.ts';
import type { UserActor } from '../permissions/actor.ts';

/**
 * Lifetime of a page of invitations, in milliseconds.
 * @limit time to answer invitations after showing a token, ms -> 403
 */
export const TICKET_TTL = 10 * 60_000;
/**
 * Invitations on one page.
 * @limit invitations on the invitations page, invitations -> further ones are shown after these are answered
 */
const SHOWN = 20;
const HASH_PURPOSE = 'invitation-ticket';
const TICKET = /^(([\w~-]{1,100})\.(\d{1,15}))\.([\w-]{43})$/;

export interface InvitationsOptions {
  readonly keyring: Keyring;
  readonly clock: Clock;
  readonly authentication: Authentication;
  readonly memberships: Memberships;
}

/** Accepts and declines invitations in the browser for users who have just shown their token. */
export class Invitations {
  readonly #options: InvitationsOptions;

  constructor(options: InvitationsOptions) {
    this.#options = options;
  }

  /** Returns the user's open invitations, by name of the organization. */
  waiting(user: UserActor): Promise<Slice<MembershipView>> {
    return this.#options.memberships.own(user, 'invited', { number: 1, size: SHOWN, offset: 0 });
  }

  /**
   * Returns a ticket for the forms. With the ticket the user can accept or decline invitations for TICKET_TTL, while
   * the user's token is valid.
   */
  ticket(user: UserActor): string {
    const signed = `${user.credential}.${this.#options.clock() + TICKET_TTL}`;
    return `${signed}.${Buffer.from(this.#options.keyring.hash(signed, HASH_PURPOSE)).toString('base64url')}`;
  }

  /**
   * Returns the user of a ticket.
   * @throws 403 if the ticket has expired or is invalid
   */
  async holder(ticket: string, remoteAddress: string): Promise<UserActor> {
    const { authentication, clock, keyring } = this.#options;
    const [, signed = '', credential = '', end = '', hash = ''] = TICKET.exec(ticket) ?? [];
    const holds = signed !== '' && keyring.matches(signed, HASH_PURPOSE, Buffer.from(hash, 'base64url'));
    const now = clock();
    const user = holds && Number(end) > now ? await authentication.recall(credential, remoteAddress, now) : undefined;
    if (user?.kind !== 'user') throw new AppError('forbidden', 'The page has expired. Enter your token again');
    return user;
  }

  /**
   * Accepts or declines an invitation.
   * @throws 404 if the invitation is not the user's or is no longer open
   */
  answer(user: UserActor, id: string, accepts: boolean): Promise<void> {
    return this.#options.memberships.answer(user, id, accepts);
  }
}
