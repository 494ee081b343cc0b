import { Buffer } from 'node:buffer';
import type { Clock } from '../../../lib/clock.ts';
import { AppError } from '../../../lib/errors.ts';
import type { Keyring } from '../../../storage/index.ts';
import type { Slice } from '../../jsonapi/pagination.ts';
import type { Authentication } from '../authentication/authentication.ts';
import type { Memberships, MembershipView } from '../membership/memberships.ts';
import type { UserActor } from '../permissions/actor.ts';

/**
 * Milliseconds in which a page of invitations can be answered.
 * @limit a form for answering an invitation, ms -> 403
 */
export const TICKET_TTL = 10 * 60_000;
/**
 * Invitations on one page; the others follow once these are answered.
 * @limit invitations on a page, invitations -> the others are shown after these
 */
const SHOWN = 20;
const HASH_PURPOSE = 'invitation-ticket';
const TICKET = /^(([\w~-]{1,100})\.(\d{1,15}))\.([\w-]{43})$/;

/** What the service works with. */
export interface InvitationsOptions {
  readonly keyring: Keyring;
  readonly clock: Clock;
  readonly authentication: Authentication;
  readonly memberships: Memberships;
}

/** Invitations as users answer them in the browser, where they have shown their token just before. */
export class Invitations {
  readonly #options: InvitationsOptions;

  constructor(options: InvitationsOptions) {
    this.#options = options;
  }

  /** Those that wait for the user, by the name of the organization. */
  waiting(user: UserActor): Promise<Slice<MembershipView>> {
    return this.#options.memberships.own(user, 'invited', { number: 1, size: SHOWN, offset: 0 });
  }

  /**
   * Returns a ticket for forms: answers invitations of the user for TICKET_TTL, as long as the user's token is valid.
   */
  ticket(user: UserActor): string {
    const signed = `${user.credential}.${this.#options.clock() + TICKET_TTL}`;
    return `${signed}.${Buffer.from(this.#options.keyring.hash(signed, HASH_PURPOSE)).toString('base64url')}`;
  }

  /** Whose ticket it is. @throws 403 for one that has ended, or is none */
  async holder(ticket: string, remoteAddress: string): Promise<UserActor> {
    const { authentication, clock, keyring } = this.#options;
    const [, signed = '', credential = '', end = '', hash = ''] = TICKET.exec(ticket) ?? [];
    const holds = signed !== '' && keyring.matches(signed, HASH_PURPOSE, Buffer.from(hash, 'base64url'));
    const now = clock();
    const user = holds && Number(end) > now ? await authentication.recall(credential, remoteAddress, now) : undefined;
    if (user?.kind !== 'user')
      throw new AppError('forbidden', 'The page is too old to be answered. Show your token again');
    return user;
  }

  /** @throws 404 for what is no invitation of theirs, or no longer */
  answer(user: UserActor, id: string, accepts: boolean): Promise<void> {
    return this.#options.memberships.answer(user, id, accepts);
  }
}
