import { AppError } from '../../../lib/errors.ts';
import type { Database } from '../../../storage/index.ts';
import { alreadyTaken, attributeIssue, notFound, unprocessable } from '../../jsonapi/errors.ts';
import type { Page, Slice } from '../../jsonapi/pagination.ts';
import type { Organizations } from '../organization/organizations.ts';
import { type Actor, isPrincipal, noteSubject, userOf } from '../permissions/actor.ts';
import { mayInOrganization } from '../permissions/in-organization.ts';
import type { Teams, TeamView } from '../team/teams.ts';
import type { Admission } from '../user/admission.ts';
import { isEmail } from '../user/email.ts';
import type { Users } from '../user/users.ts';
import type { Membership, MembershipFilter, Status } from './store.ts';
import * as store from './store.ts';

/**
 * Invitations of one organization that wait for an answer.
 * @limit invitations of an organization that wait, invitations -> 422
 */
export const MAX_INVITATIONS = 1000;

/** A membership, and those of its teams that the actor may see. */
export interface MembershipView extends Membership {
  readonly teams: readonly TeamView[];
}

/** What the service works with. */
export interface MembershipsOptions {
  readonly database: Database;
  readonly organizations: Organizations;
  readonly teams: Teams;
  readonly users: Users;
  readonly admission: Admission;
}

/** Who belongs to an organization (facts §6.4). */
export class Memberships {
  readonly #options: MembershipsOptions;

  constructor(options: MembershipsOptions) {
    this.#options = options;
  }

  /**
   * Nobody is a member without having accepted, and nothing here depends on whether anybody has an account under the address.
   * @throws 404 when the actor may not, here or with one of the teams; 422 for a member, for what is no address, and for more
   *   than MAX_INVITATIONS
   */
  async invite(actor: Actor, name: string, email: string, teamIds: readonly string[]): Promise<MembershipView> {
    const { admission, database, organizations, teams, users } = this.#options;
    const { id: organizationId } = await organizations.find(actor, name, 'can-manage-users');
    if (!isEmail(email)) throw unprocessable([attributeIssue('email', 'Email is not an address')]);
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
      return invited;
    });
    return this.find(actor, id);
  }

  /**
   * The actor, who is invited, becomes a member, with the teams that were meant for them; or has the invitation removed.
   * @throws 404 for an invitation of another address
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

  /** @throws 404 when the actor may not, and is not the member or the one who is invited either */
  async find(actor: Actor, id: string): Promise<MembershipView> {
    const membership = await store.findMembership(this.#options.database, id);
    if (membership === undefined) throw notFound();
    if (!(await this.#isOwn(actor, membership)))
      await this.#options.organizations.find(actor, membership.organizationName, 'can-manage-users');
    const [view] = await this.#views(actor, [membership]);
    return view ?? { ...membership, teams: [] };
  }

  /** @throws 404 when the actor may not manage members */
  async list(actor: Actor, name: string, filter: MembershipFilter, page: Page): Promise<Slice<MembershipView>> {
    const { database, organizations } = this.#options;
    const { id } = await organizations.find(actor, name, 'can-manage-users');
    const { items, total } = await store.listMembershipsOfOrganization(database, id, filter, page);
    return { items: await this.#views(actor, items), total };
  }

  /** Returns those of an organization with these ids that the actor may see: all for who manages members, else their own. */
  async readable(actor: Actor, organizationId: string, ids: readonly string[]): Promise<MembershipView[]> {
    const found = await store.findMemberships(this.#options.database, organizationId, ids);
    const manages = mayInOrganization(actor, organizationId, 'can-manage-users');
    return this.#views(actor, manages ? found : found.filter(({ accountId }) => isPrincipal(actor, accountId)));
  }

  /** @throws 404 when the actor may not see the team, or not manage members */
  async ofTeam(actor: Actor, teamId: string, status: Status | undefined, page: Page): Promise<Slice<MembershipView>> {
    const { database, organizations, teams } = this.#options;
    const team = await teams.find(actor, teamId, 'can-read');
    await organizations.find(actor, team.organizationName, 'can-manage-users');
    const { items, total } = await store.listMembershipsOfTeam(database, team, status, page);
    return { items: await this.#views(actor, items), total };
  }

  /** Of the actor, invitations too. @throws 404 for anybody but a user */
  async own(actor: Actor, status: Status | undefined, page: Page): Promise<Slice<MembershipView>> {
    const { database, users } = this.#options;
    const { items, total } = await store.listMembershipsOfAccount(database, await users.account(actor), status, page);
    return { items: await this.#views(actor, items), total };
  }

  /** @throws 403 for the last owner, and for an owner where the actor is none; 404 when the actor may not at all */
  async delete(actor: Actor, id: string): Promise<void> {
    const { database, organizations } = this.#options;
    const membership = await store.findMembership(database, id);
    if (membership === undefined) throw notFound();
    const { organizationId, accountId } = membership;
    const { grant } = await organizations.find(actor, membership.organizationName, 'can-manage-users');
    await database.transaction(async (tx) => {
      const wasOwner = await store.isOwner(tx, organizationId, accountId);
      if (wasOwner && !grant.owner) throw forbidden('Only owners remove owners');
      await store.removeMembership(tx, membership);
      if (wasOwner && !(await store.hasOwner(tx, organizationId))) throw forbidden('The last owner cannot be removed');
    });
  }

  /** All of them or none; whoever is in the team stays in it. @throws 404 when the actor may not, 422 for no member */
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

  /** Whoever is not in the team is passed over. @throws 404 when the actor may not, 422 for the last owner */
  async removeFromTeam(actor: Actor, teamId: string, ids: readonly string[]): Promise<void> {
    const { database, teams } = this.#options;
    const { organizationId, owners } = await teams.find(actor, teamId, 'can-update-membership');
    const members = await store.findMemberships(database, organizationId, ids);
    await database.transaction(async (tx) => {
      for (const { accountId } of members) await store.removeFromTeam(tx, teamId, accountId);
      if (owners && !(await store.hasOwner(tx, organizationId))) {
        throw unprocessable([{ detail: 'An organization has at least one owner' }]);
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
  const detail = `An organization has at most ${MAX_INVITATIONS} invitations that nobody has answered`;
  return unprocessable([attributeIssue('email', detail)]);
}

function forbidden(detail: string): AppError {
  return new AppError('forbidden', detail);
}
