import { AppError } from '../../../lib/errors.ts';
import type { Database, Transaction } from '../../../storage/index.ts';
import { alreadyTaken, attributeIssue, notFound, unprocessable } from '../../jsonapi/errors.ts';
import type { Page, Slice } from '../../jsonapi/pagination.ts';
import type { Organizations } from '../organization/organizations.ts';
import { type Actor, isPrincipal, noteSubject, userOf } from '../permissions/actor.ts';
import { mayInOrganization } from '../permissions/in-organization.ts';
import type { Teams, TeamView } from '../team/teams.ts';
import type { Admission } from '../user/admission.ts';
import { foldedEmail, isEmail } from '../user/email.ts';
import type { Users } from '../user/users.ts';
import type { Membership, MembershipFilter, Status } from './store.ts';
import * as store from './store.ts';

/**
 * Open invitations of one organization.
 * @limit open invitations of an organization, invitations -> 422
 */
export const MAX_INVITATIONS = 1000;

/** Membership with those of its teams that the actor may see. */
export interface MembershipView extends Membership {
  readonly teams: readonly TeamView[];
}

export interface MembershipsOptions {
  readonly database: Database;
  readonly organizations: Organizations;
  readonly teams: Teams;
  readonly users: Users;
  readonly admission: Admission;
  /** Sends invitations by email. Absent without an SMTP server. */
  readonly mail?: InvitationOutbox | undefined;
}

/** Outbox of emails with invitations. */
export interface InvitationOutbox {
  add(
    tx: Transaction,
    invitation: { membershipId: string; organizationId: string; email: string; invitedBy: string | null },
  ): Promise<void>;
}

/** Manages the memberships of organizations. */
export class Memberships {
  readonly #options: MembershipsOptions;

  constructor(options: MembershipsOptions) {
    this.#options = options;
  }

  /**
   * Invites an email address. The user becomes a member only by accepting. The result does not reveal whether the
   * address has an account.
   * @throws 404 without permission for the organization or for one of the teams; 422 for a member, for an invalid
   * address, and beyond MAX_INVITATIONS
   */
  async invite(actor: Actor, name: string, email: string, teamIds: readonly string[]): Promise<MembershipView> {
    const { admission, database, mail, organizations, teams, users } = this.#options;
    const { id: organizationId } = await organizations.find(actor, name, 'can-manage-users');
    if (!isEmail(email)) throw unprocessable([attributeIssue('email', 'Email is not a valid email address')]);
    for (const teamId of teamIds) {
      const team = await teams.find(actor, teamId, 'can-update-membership');
      if (team.organizationId !== organizationId) throw notFound();
    }
    const id = await database.transaction(async (tx) => {
      if ((await admission.invited(tx, organizationId, MAX_INVITATIONS)) === MAX_INVITATIONS) throw tooMany();
      const placeholder = await users.placeholder(tx, email);
      const invited = await admission.invite(tx, organizationId, placeholder.id, email);
      if (invited === undefined) throw alreadyTaken('email');
      for (const teamId of teamIds) await store.addToTeam(tx, teamId, placeholder.id);
      const invitedBy = actor.kind === 'user' ? actor.id : null;
      await mail?.add(tx, { membershipId: invited, organizationId, email: foldedEmail(email), invitedBy });
      return invited;
    });
    return this.find(actor, id);
  }

  /**
   * Accepts or declines an invitation of the actor. Accepting adds the actor to the organization and to the invited
   * teams.
   * @throws 404 for an invitation of another email address
   */
  async answer(actor: Actor, id: string, accepts: boolean): Promise<void> {
    const { admission, database, users } = this.#options;
    const { id: accountId } = userOf(actor);
    await database.transaction(async (tx) => {
      const { email } = await users.present(tx, accountId);
      const invitation = await store.findInvitation(tx, id, email);
      if (invitation === undefined) throw notFound();
      noteSubject(actor, { organizationId: invitation.organizationId });
      if (accepts) await admission.accept(tx, accountId, email, id);
      else await store.removeMembership(tx, invitation);
    });
  }

  /**
   * Finds a membership.
   * @throws 404 unless the actor is the member or invited user, or manages members
   */
  async find(actor: Actor, id: string): Promise<MembershipView> {
    const membership = await store.findMembership(this.#options.database, id);
    if (membership === undefined) throw notFound();
    if (!(await this.#isOwn(actor, membership)))
      await this.#options.organizations.find(actor, membership.organizationName, 'can-manage-users');
    const [view] = await this.#views(actor, [membership]);
    return view ?? { ...membership, teams: [] };
  }

  /**
   * Finds a membership that the actor manages.
   * @throws 404
   */
  async managed(actor: Actor, id: string): Promise<Membership> {
    const { database, organizations } = this.#options;
    const membership = await store.findMembership(database, id);
    if (membership === undefined) throw notFound();
    await organizations.find(actor, membership.organizationName, 'can-manage-users');
    return membership;
  }

  /** Removes an open invitation, in the transaction of a caller that has checked that it may be declined. */
  async withdraw(tx: Transaction, id: string): Promise<void> {
    const membership = await store.findMembership(tx, id);
    if (membership?.status === 'invited') await store.removeMembership(tx, membership);
  }

  /**
   * Lists the memberships of an organization.
   * @throws 404 unless the actor may manage members
   */
  async list(actor: Actor, name: string, filter: MembershipFilter, page: Page): Promise<Slice<MembershipView>> {
    const { database, organizations } = this.#options;
    const { id } = await organizations.find(actor, name, 'can-manage-users');
    const { items, total } = await store.listMembershipsOfOrganization(database, id, filter, page);
    return { items: await this.#views(actor, items), total };
  }

  /**
   * Returns the memberships of an organization with these ids that the actor may see: all if the actor manages
   * members, else their own.
   */
  async readable(actor: Actor, organizationId: string, ids: readonly string[]): Promise<MembershipView[]> {
    const found = await store.findMemberships(this.#options.database, organizationId, ids);
    const manages = mayInOrganization(actor, organizationId, 'can-manage-users');
    return this.#views(actor, manages ? found : found.filter(({ accountId }) => isPrincipal(actor, accountId)));
  }

  /**
   * Lists the memberships of a team.
   * @throws 404 unless the actor may see the team and manage members
   */
  async ofTeam(actor: Actor, teamId: string, status: Status | undefined, page: Page): Promise<Slice<MembershipView>> {
    const { database, organizations, teams } = this.#options;
    const team = await teams.find(actor, teamId, 'can-read');
    await organizations.find(actor, team.organizationName, 'can-manage-users');
    const { items, total } = await store.listMembershipsOfTeam(database, team, status, page);
    return { items: await this.#views(actor, items), total };
  }

  /**
   * Lists the actor's memberships and invitations.
   * @throws 404 unless the actor is a user
   */
  async own(actor: Actor, status: Status | undefined, page: Page): Promise<Slice<MembershipView>> {
    const { database, users } = this.#options;
    const { items, total } = await store.listMembershipsOfAccount(database, await users.account(actor), status, page);
    return { items: await this.#views(actor, items), total };
  }

  /**
   * Removes a member or an invitation.
   * @throws 403 for the last owner, and for an owner unless the actor is one; 404 without permission
   */
  async delete(actor: Actor, id: string): Promise<void> {
    const { database, organizations } = this.#options;
    const membership = await store.findMembership(database, id);
    if (membership === undefined) throw notFound();
    const { organizationId, accountId } = membership;
    const { grant } = await organizations.find(actor, membership.organizationName, 'can-manage-users');
    await database.transaction(async (tx) => {
      const wasOwner = await store.isOwner(tx, organizationId, accountId);
      if (wasOwner && !grant.owner) throw forbidden('Only owners can remove owners');
      await store.removeMembership(tx, membership);
      if (wasOwner && !(await store.hasOwner(tx, organizationId))) throw forbidden('The last owner cannot be removed');
    });
  }

  /**
   * Adds all members or none to the team. Existing ones stay.
   * @throws 404 without permission; 422 for an unknown membership
   */
  async addToTeam(actor: Actor, teamId: string, ids: readonly string[]): Promise<void> {
    const { database, teams } = this.#options;
    const { organizationId } = await teams.find(actor, teamId, 'can-update-membership');
    const members = await store.findMemberships(database, organizationId, ids);
    const known = new Set(members.map(({ id }) => id));
    const issues = ids.flatMap((id, index) =>
      known.has(id) ? [] : [{ detail: 'The organization has no such membership', pointer: `/data/${index}/id` }],
    );
    if (issues.length > 0) throw unprocessable(issues.slice(0, 10));
    await database.transaction(async (tx) => {
      for (const { accountId } of members) await store.addToTeam(tx, teamId, accountId);
    });
  }

  /**
   * Removes members from the team. Ignores those who are not in it.
   * @throws 404 without permission; 422 for the last owner
   */
  async removeFromTeam(actor: Actor, teamId: string, ids: readonly string[]): Promise<void> {
    const { database, teams } = this.#options;
    const { organizationId, owners } = await teams.find(actor, teamId, 'can-update-membership');
    const members = await store.findMemberships(database, organizationId, ids);
    await database.transaction(async (tx) => {
      for (const { accountId } of members) await store.removeFromTeam(tx, teamId, accountId);
      if (owners && !(await store.hasOwner(tx, organizationId))) {
        throw unprocessable([{ detail: 'An organization needs at least one owner. Add another one first' }]);
      }
    });
  }

  async #isOwn(actor: Actor, { id, accountId, organizationId, status }: Membership): Promise<boolean> {
    if (actor.kind !== 'user') return false;
    if (status === 'active') return actor.id === accountId && actor.grants.has(organizationId);
    const { database, users } = this.#options;
    const { email } = await users.account(actor);
    return (await store.findInvitation(database, id, email)) !== undefined;
  }

  async #views(actor: Actor, memberships: readonly Membership[]): Promise<MembershipView[]> {
    const { database, teams } = this.#options;
    const links = await store.teamsOfMemberships(
      database,
      memberships.map(({ id }) => id),
    );
    const ids = [...new Set(links.map(({ teamId }) => teamId))];
    const seen = new Map((ids.length === 0 ? [] : await teams.readable(actor, ids)).map((team) => [team.id, team]));
    const byMembership = Map.groupBy(links, ({ membershipId }) => membershipId);
    return memberships.map((membership) => ({
      ...membership,
      teams: (byMembership.get(membership.id) ?? []).flatMap(({ teamId }) => seen.get(teamId) ?? []),
    }));
  }
}

function tooMany(): AppError {
  const detail = `An organization may have at most ${MAX_INVITATIONS} open invitations`;
  return unprocessable([attributeIssue('email', detail)]);
}

function forbidden(detail: string): AppError {
  return new AppError('forbidden', detail);
}
