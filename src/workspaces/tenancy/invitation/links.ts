import { createHash, randomBytes } from 'node:crypto';
import type { Clock } from '../../../lib/clock.ts';
import { AppError } from '../../../lib/errors.ts';
import { prefixedId } from '../../../lib/ids.ts';
import type { Database, Queries, Transaction } from '../../../storage/index.ts';
import { conflict, notFound } from '../../jsonapi/errors.ts';
import type { Memberships } from '../membership/memberships.ts';
import { verifyCreation } from '../passkey/ceremony.ts';
import { type Ceremony, nameFrom, type Passkeys, type Place, verified } from '../passkey/passkeys.ts';
import { type Actor, grantIn, noteSubject, userOf } from '../permissions/actor.ts';
import type { Origin, Sessions } from '../session/sessions.ts';
import type { IssuedToken } from '../token/issuer.ts';
import type { Admission } from '../user/admission.ts';
import { foldedEmail } from '../user/email.ts';
import { assertFree, takingUsername, type User, type Users } from '../user/users.ts';
import { coversInvitation, isCovered } from './authority.ts';
import type { InvitationLink } from './store.ts';
import * as store from './store.ts';
import type { InvitationUses } from './uses.ts';

/** @limit lifetime of the link of an invitation, ms -> 404; the invitation stays open */
const LINK_MS = 7 * 24 * 3_600_000;
const SECRET = /^[\w-]{43}$/;

/** New link, whose secret is shown only once. */
export interface NewLink {
  readonly secret: string;
  readonly expiresAt: number;
  /** Whether a link is sent by email too: it waits, or was sent and works. */
  readonly isMailed: boolean;
}

/** Invitation, as the holder of its link sees it. */
export interface ShownInvitation {
  readonly organization: string;
  readonly invitedBy: string | null;
  readonly expiresAt: number;
  /** Whether the holder may create an account. */
  readonly accounts: boolean;
}

/** Question for the passkey of a new account. */
export interface AccountCeremony extends Ceremony {
  /** Id that the account will have. */
  readonly userId: string;
}

/** Account that the holder of a link creates. */
export interface NewAccount {
  readonly userId: string;
  readonly username: string;
  readonly response: unknown;
  readonly challenge: string;
  /** Name of the passkey. */
  readonly passkey: string;
}

export interface InvitationLinksOptions {
  readonly database: Database;
  readonly clock: Clock;
  readonly memberships: Memberships;
  readonly admission: Admission;
  readonly users: Users;
  readonly passkeys: Passkeys;
  readonly sessions: Sessions;
  readonly uses: Pick<InvitationUses, 'assertAccount' | 'countAccount'>;
  /** Whether the holder of a link may create an account. */
  readonly accounts: boolean;
}

/**
 * Links of invitations. A link has a random secret, of which only the hash is stored. It works once, for any user, until
 * it expires.
 */
export class InvitationLinks {
  readonly #options: InvitationLinksOptions;

  constructor(options: InvitationLinksOptions) {
    this.#options = options;
  }

  /**
   * Creates the link of an invitation. The link that was created before stops working.
   * @throws 403 unless the actor is a user; 404 unless the actor manages members, and each team of the invitation; 409
   * for a member
   */
  async create(actor: Actor, membershipId: string): Promise<NewLink> {
    const { clock, database, memberships } = this.#options;
    const { id, organizationId, status } = await memberships.managed(actor, membershipId);
    if (status === 'active') throw conflict('This user is a member already');
    if (actor.kind !== 'user') throw new AppError('forbidden', ONLY_USERS);
    if (!(await coversInvitation(database, grantIn(actor, organizationId), id))) throw notFound();
    const createdBy = actor.id;
    return database.transaction(async (tx) => ({
      ...(await this.issue(tx, { membershipId: id, createdBy, mailed: 0 })),
      isMailed: await store.hasMail(tx, id, clock()),
    }));
  }

  /** Stores a new link, in the caller's transaction. */
  async issue(
    db: Queries,
    link: { readonly membershipId: string; readonly createdBy: string | null; readonly mailed: 0 | 1 },
  ): Promise<Omit<NewLink, 'isMailed'>> {
    const secret = randomBytes(32).toString('base64url');
    const expiresAt = this.#options.clock() + LINK_MS;
    await store.replaceLink(db, { ...link, hash: hashOf(secret), expiresAt });
    return { secret, expiresAt };
  }

  /**
   * Returns the invitation of a link.
   * @throws 404 for a link that is unknown, used or expired, or whose invitation is gone
   */
  async show(secret: string): Promise<ShownInvitation> {
    const { accounts, database } = this.#options;
    const { organizationName: organization, invitedBy, expiresAt } = await this.#find(database, secret);
    return { organization, invitedBy, expiresAt, accounts };
  }

  /**
   * Accepts or declines the invitation of a link for the actor, whatever its email address.
   * @throws 404 as `show`, and unless the actor is a user; 422 for the user of an organization's identity provider
   */
  async answer(actor: Actor, secret: string, accepts: boolean): Promise<void> {
    const { admission, database, memberships, users } = this.#options;
    const { id } = userOf(actor);
    await database.transaction(async (tx) => {
      const user = await users.present(tx, id);
      if (accepts) assertFree(user);
      const link = await this.#take(tx, secret);
      noteSubject(actor, { organizationId: link.organizationId });
      if (!accepts) return memberships.withdraw(tx, link.membershipId);
      await admission.accept(tx, id, link.email, link.membershipId);
      await store.readdressMembership(tx, link.membershipId, foldedEmail(user.email));
    });
  }

  /**
   * Starts the registration of a passkey for a new account.
   * @throws 403 if the site allows no such accounts; 404 as `show`; 422 for an invalid or taken name; 429 beyond the
   * accounts of a day
   */
  async beginAccount(secret: string, username: string, place: Place): Promise<AccountCeremony> {
    const { clock, database, passkeys, users, uses } = this.#options;
    this.#assertAccounts();
    await uses.assertAccount(database, usedBy(await this.#find(database, secret)));
    await users.assertFreeName(username);
    const userId = prefixedId('user', clock());
    return { userId, ...(await passkeys.ceremonyFor({ id: userId, name: username }, place)) };
  }

  /**
   * Creates an account with a passkey, accepts the invitation, and signs the user in. The account has the email address
   * of the invitation only if the link was sent there and nobody else has the address: otherwise the inviter could take
   * the invitations of somebody else. The membership has the address of the account.
   * @throws 403 for a passkey that is not valid, and as `beginAccount`
   */
  async createAccount(
    secret: string,
    { userId: id, username, response, challenge, passkey: name }: NewAccount,
    place: Place,
    from: Omit<Origin, 'signedInBy'>,
  ): Promise<{ readonly user: User; readonly session: IssuedToken; readonly organization: string }> {
    const { admission, database, passkeys, sessions, users, uses } = this.#options;
    this.#assertAccounts();
    const named = nameFrom(name);
    const credential = await verified(() => verifyCreation(response, challenge, place));
    const create = async (tx: Transaction) => {
      const link = await this.#take(tx, secret);
      await uses.countAccount(tx, usedBy(link), id);
      const { email, mailed, membershipId, organizationName } = link;
      const isProved = mailed === 1 && (await users.holderOf(tx, email)) === undefined;
      const made = await users.createNamed(tx, { id, username, email, isProved });
      const { id: key } = await passkeys.add(tx, id, place, { challenge, credential, name: named });
      await admission.accept(tx, id, email, membershipId);
      if (!isProved) await store.readdressMembership(tx, membershipId, foldedEmail(made.email));
      return { organization: organizationName, passkeyId: key, user: made };
    };
    const { organization, passkeyId, user } = await takingUsername(() => database.transaction(create));
    return { user, organization, session: await sessions.begin(id, { ...from, signedInBy: 'passkey', passkeyId }) };
  }

  async #find(db: Queries, secret: string): Promise<InvitationLink> {
    const link = SECRET.test(secret) ? await store.findLink(db, hashOf(secret), this.#options.clock()) : undefined;
    if (link === undefined || !(await isCovered(db, link))) throw gone();
    return link;
  }

  async #take(tx: Transaction, secret: string): Promise<InvitationLink> {
    const link = SECRET.test(secret) ? await store.takeLink(tx, hashOf(secret), this.#options.clock()) : undefined;
    if (link === undefined || !(await isCovered(tx, link))) throw gone();
    return link;
  }

  #assertAccounts(): void {
    if (this.#options.accounts) return;
    throw new AppError(
      'forbidden',
      'This server does not let invited people create accounts. Ask its operator for one',
    );
  }
}

const ONLY_USERS =
  'Only users create links of invitations, because a link ends with the permissions of its creator. Use the token of a user';
const usedBy = ({ organizationId, createdBy }: InvitationLink) => ({ organizationId, invitedBy: createdBy });
const hashOf = (secret: string) => createHash('sha256').update(secret).digest('base64url');

/** One answer for all links that do not work: it says nothing about invitations, organizations and users. */
const gone = (): AppError => {
  const { kind } = notFound();
  return new AppError(kind, 'This link is not valid: it was used, replaced or has expired. Ask for a new one');
};
