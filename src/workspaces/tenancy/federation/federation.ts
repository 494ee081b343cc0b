import { createHash } from 'node:crypto';
import type { Clock } from '../../../lib/clock.ts';
import type { Database, Transaction } from '../../../storage/index.ts';
import type { Origin, Sessions } from '../session/sessions.ts';
import type { IssuedToken } from '../token/issuer.ts';
import type { Admission } from '../user/admission.ts';
import { foldedEmail } from '../user/email.ts';
import type { User, Users } from '../user/users.ts';
import type { Directory } from './directory.ts';
import { makeEqual } from './managed-teams.ts';
import { type FederationRules, matchesGroup, teamsFor, usernameLike } from './mapping.ts';
import * as store from './store.ts';

export type { FederationRules, TeamRule } from './mapping.ts';

/** Somebody for whom a provider vouches. */
export interface VouchedFor {
  readonly issuer: string;
  readonly subject: string;
  readonly name: string;
  readonly verifiedEmail: string | undefined;
  readonly groups: readonly string[];
  /** What a directory knows them by (`externalId`), where the provider says it. */
  readonly directoryId?: string | undefined;
  /** As the provider names the session that it has with them. */
  readonly session: string | undefined;
  /** When they last proved who they are, milliseconds; undefined where it does not say. */
  readonly authenticatedAt: number | undefined;
}

/** What a provider has ended: a session by its name there, or all of somebody. */
export interface ProviderLogout {
  readonly issuer: string;
  readonly subject: string | undefined;
  readonly session: string | undefined;
}

/** Why somebody who is known there is not let in here. */
export type Refusal = 'unknown' | 'taken' | 'suspended' | 'another' | 'full';

/** @limit people for whom the provider of one organization vouches, users -> `full`: nobody new is let in */
const MOST_OF_ORGANIZATION = 10_000;

/** What the service works with. */
export interface FederationOptions {
  readonly database: Database;
  readonly clock: Clock;
  readonly users: Users;
  readonly admission: Admission;
  readonly sessions: Sessions;
  readonly directory: Directory;
}

/** Begun for a user, or why not. */
export type SignIn =
  | { readonly refusal: Refusal }
  | { readonly refusal?: never; readonly user: User; readonly session: IssuedToken };

/**
 * People whom a provider vouches for: who they are here, and in which teams. Whom they are is issuer and subject: an address can be
 * given to somebody else, and some providers let people type one.
 */
export class Federation {
  readonly #options: FederationOptions;

  constructor(options: FederationOptions) {
    this.#options = options;
  }

  /**
   * Teams are as the groups say from now on, as far as groups gave them.
   * @param again the user who is asked once more: nobody else is let in
   */
  async signIn(
    person: VouchedFor,
    rules: FederationRules,
    origin: Omit<Origin, 'signedInBy'>,
    again?: string,
  ): Promise<SignIn> {
    const { clock, database, directory, sessions } = this.#options;
    const found = await database.transaction(async (tx) => {
      if (again !== undefined && (await store.findLinkedAccount(tx, person, rules.organization?.id)) !== again)
        return 'another';
      const user = await this.#userOf(tx, person, rules);
      if (typeof user === 'string') return user;
      if (user.suspendedAt !== null) return 'suspended';
      // Where a directory says who is in which group, a provider does not.
      if (rules.organization || !(await directory.isOn(tx))) await this.#makeEqual(tx, user, person.groups, rules);
      return user;
    });
    if (typeof found === 'string') return { refusal: found };
    const { issuer, session: name, authenticatedAt } = person;
    const there = {
      providerSession: name === undefined ? null : hashOf(issuer, name, rules.organization?.id),
      authenticatedAt: authenticatedAt === undefined ? null : Math.min(authenticatedAt, clock()),
    };
    return { user: found, session: await sessions.begin(found.id, { ...origin, ...there, signedInBy: 'oidc' }) };
  }

  /**
   * Ends what somebody has here of what they had there.
   * @param organizationId whose own provider says so; absent: that of the server
   * @returns which sessions there were
   */
  async signOut(
    { issuer, subject, session }: ProviderLogout,
    organizationId?: string,
  ): Promise<readonly { id: string; userId: string }[]> {
    const { database, sessions } = this.#options;
    const userId =
      subject === undefined ? undefined : await store.findLinkedAccount(database, { issuer, subject }, organizationId);
    if (subject !== undefined && userId === undefined) return [];
    return sessions.endProviders(userId, session === undefined ? undefined : hashOf(issuer, session, organizationId));
  }

  async #userOf(tx: Transaction, person: VouchedFor, rules: FederationRules): Promise<User | Refusal> {
    const { directory, users } = this.#options;
    const known = await store.findLinkedAccount(tx, person, rules.organization?.id);
    if (rules.organization) {
      return known === undefined ? this.#newMember(tx, person, rules, rules.organization.id) : users.present(tx, known);
    }
    const { directoryId, verifiedEmail } = person;
    const listed = directoryId === undefined ? undefined : await directory.accountOf(tx, directoryId);
    if (known !== undefined) {
      if (directoryId !== undefined) await store.noteDirectoryId(tx, person, directoryId);
      // Whom the directory deactivates would go on as the other one.
      return listed === undefined || listed.id === known ? users.present(tx, known) : 'taken';
    }
    if (listed !== undefined) {
      if ((listed.isGuarded && !rules.linkByEmail) || (await store.isAccountLinked(tx, listed.id))) return 'taken';
      const user = await users.present(tx, listed.id);
      if (user.suspendedAt === null) await this.#link(tx, person, user.id);
      return user;
    }
    const holder = verifiedEmail === undefined ? undefined : await users.holderOf(tx, verifiedEmail);
    if (holder !== undefined && (!rules.linkByEmail || (await store.isAccountLinked(tx, holder.id)))) return 'taken';
    const user = holder ?? (await this.#newUser(tx, person, rules));
    if (user === undefined) return 'unknown';
    await this.#link(tx, person, user.id);
    return user;
  }

  async #link(tx: Transaction, person: VouchedFor, accountId: string): Promise<void> {
    await store.linkAccount(tx, person, accountId, this.#options.clock());
    if (person.directoryId !== undefined) await store.noteDirectoryId(tx, person, person.directoryId);
  }

  async #newUser(tx: Transaction, { name, verifiedEmail }: VouchedFor, { create }: FederationRules) {
    const isInvited = verifiedEmail !== undefined && (await store.isInvited(tx, foldedEmail(verifiedEmail)));
    if (create === 'never' || (create === 'invited' && !isInvited)) return undefined;
    return this.#options.users.createLike(tx, usernameLike(name), verifiedEmail);
  }

  /** What the provider of one organization says of addresses holds there alone: it invites nobody elsewhere, and finds nobody. */
  async #newMember(tx: Transaction, person: VouchedFor, { create }: FederationRules, organizationId: string) {
    const { admission, clock, users } = this.#options;
    const email = person.verifiedEmail && foldedEmail(person.verifiedEmail);
    const place = email ? await store.findMembershipByEmail(tx, organizationId, email) : undefined;
    const isInvited = place?.status === 'invited';
    if (create === 'never' || (create === 'invited' && !isInvited)) return 'unknown';
    const isFull = (await store.countLinkedAccounts(tx, organizationId, MOST_OF_ORGANIZATION)) >= MOST_OF_ORGANIZATION;
    if (isFull) return 'full';
    const user = await users.createLike(tx, usernameLike(person.name), undefined, organizationId);
    await store.linkAccount(tx, person, user.id, clock(), organizationId);
    if (isInvited && email) await admission.accept(tx, user.id, email, place.id);
    else await admission.admit(tx, organizationId, { id: user.id, email: (place ? undefined : email) ?? user.email });
    return user;
  }

  async #makeEqual(tx: Transaction, user: User, groups: readonly string[], rules: FederationRules): Promise<void> {
    const teams = await this.#teamsOf(tx, groups, rules);
    const isSiteAdmin = rules.siteAdminGroups.some((group) => matchesGroup(groups, group));
    await makeEqual(tx, this.#options.admission, user, { teams, isSiteAdmin });
  }

  async #teamsOf(tx: Transaction, groups: readonly string[], { ssoTeamIds, teams, organization }: FederationRules) {
    const found: store.GivenTeam[] = [];
    const wanted = teamsFor(teams, groups).map(({ organization: of, team }) => store.teamNamed(of, team));
    if (ssoTeamIds && groups.length > 0) wanted.push(store.teamsOfGroups(groups));
    for (const which of wanted) {
      found.push(...(await store.teamsWhere(tx, organization ? store.teamsWithin(organization.id, which) : which)));
    }
    return found;
  }
}

/** However long its name is, and whatever is in it. */
const hashOf = (issuer: string, session: string, organizationId?: string): string =>
  createHash('sha256')
    .update(JSON.stringify([issuer, session, ...(organizationId ? [organizationId] : [])]))
    .digest('base64url');
