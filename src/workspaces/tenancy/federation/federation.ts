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

/** User whom an identity provider has authenticated. */
export interface VouchedFor {
  readonly issuer: string;
  readonly subject: string;
  readonly name: string;
  readonly verifiedEmail: string | undefined;
  readonly groups: readonly string[];
  /** Id of the user in the SCIM directory (`externalId`), if the provider reports it. */
  readonly directoryId?: string | undefined;
  /** Session id at the provider. */
  readonly session: string | undefined;
  /** Time of the authentication in milliseconds. Undefined if the provider does not report it. */
  readonly authenticatedAt: number | undefined;
}

/** Logout at the identity provider: of one session, or of all sessions of a user. */
export interface ProviderLogout {
  readonly issuer: string;
  readonly subject: string | undefined;
  readonly session: string | undefined;
}

/** Reasons why a user whom the provider has authenticated cannot sign in. */
export type Refusal = 'unknown' | 'taken' | 'suspended' | 'another' | 'full';

/** @limit users of one organization's identity provider, users -> new users cannot sign in (`full`) */
const MOST_OF_ORGANIZATION = 10_000;

export interface FederationOptions {
  readonly database: Database;
  readonly clock: Clock;
  readonly users: Users;
  readonly admission: Admission;
  readonly sessions: Sessions;
  readonly directory: Directory;
}

/** Started session, or the reason why there is none. */
export type SignIn =
  | { readonly refusal: Refusal }
  | { readonly refusal?: never; readonly user: User; readonly session: IssuedToken };

/**
 * Signs in users whom an identity provider has authenticated, and updates their teams. Issuer and subject identify a
 * user. An email address does not: it can be reassigned, and some providers let users enter one.
 */
export class Federation {
  readonly #options: FederationOptions;

  constructor(options: FederationOptions) {
    this.#options = options;
  }

  /**
   * Signs a user in. Teams that groups have given are updated to the current groups.
   * @param again user who must confirm their identity: no other user is accepted
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
      // If the SCIM directory manages group memberships, the provider does not.
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
   * Ends the sessions that belong to a logout at the provider.
   * @param organizationId organization whose own provider reports the logout; absent: the provider of the server
   * @returns the sessions that ended
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
      // This check is needed because otherwise a user whom the directory deactivates could continue with the other
      // account.
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

  /**
   * Email addresses from an organization's own provider are valid in that organization only: they accept no
   * invitations elsewhere and match no other accounts.
   */
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

/** Hash of fixed length, because the session id can have any length and content. */
const hashOf = (issuer: string, session: string, organizationId?: string): string =>
  createHash('sha256')
    .update(JSON.stringify([issuer, session, ...(organizationId ? [organizationId] : [])]))
    .digest('base64url');
