import { type Queries, sql } from '../../../storage/index.ts';
import type { Page } from '../../jsonapi/pagination.ts';
import { containing, type Fragment, fragment, isOneOf, select, selectSlice } from '../../query/dynamic.ts';
import { foldedEmail } from '../user/email.ts';

/** `invited` until the user accepts. */
export const STATUSES = ['active', 'invited'] as const;
export type Status = (typeof STATUSES)[number];

/** Membership or invitation of a user in an organization. */
export interface Membership {
  readonly id: string;
  readonly organizationId: string;
  readonly organizationName: string;
  readonly accountId: string;
  readonly username: string;
  readonly email: string;
  readonly status: Status;
  readonly createdAt: number;
}

/** Filter for memberships. */
export interface MembershipFilter {
  /** Part of the email address or the username, in any case. */
  readonly query: string;
  readonly emails: readonly string[];
  readonly status: Status | undefined;
}

const COLUMNS = `m.id, m.organization_id AS "organizationId", o.name AS "organizationName",
  m.account_id AS "accountId", a.username, m.email, m.status, m.created_at AS "createdAt"`;
const FROM = `organization_membership m JOIN organization o ON o.id = m.organization_id
  JOIN account a ON a.id = m.account_id`;

const selectById = sql<{ id: string }, Membership>(`SELECT ${COLUMNS} FROM ${FROM} WHERE m.id = :id`);
const selectInvitation = sql<{ id: string; email: string }, Membership>(
  `SELECT ${COLUMNS} FROM ${FROM}
   WHERE m.id = :id AND m.email = :email AND m.status = 'invited' AND o.deleted_at IS NULL`,
);
const insertTeamMember = sql<{ teamId: string; accountId: string }>(
  'INSERT INTO team_member (team_id, account_id) VALUES (:teamId, :accountId) ON CONFLICT (team_id, account_id) DO UPDATE SET managed = 0',
);
const removeTeamMember = sql<{ teamId: string; accountId: string }>(
  'DELETE FROM team_member WHERE team_id = :teamId AND account_id = :accountId',
);
const removeFromTeams = sql<{ organizationId: string; accountId: string }>(
  `DELETE FROM team_member
   WHERE account_id = :accountId AND team_id IN (SELECT id FROM team WHERE organization_id = :organizationId)`,
);
const removeMembershipStatement = sql<{ id: string }>('DELETE FROM organization_membership WHERE id = :id');
const removeInvitation = sql<{ accountId: string }>(
  `DELETE FROM account WHERE id = :accountId AND invited = 1
   AND NOT EXISTS (SELECT 1 FROM organization_membership m WHERE m.account_id = :accountId)`,
);
const selectIsOwner = sql<{ organizationId: string; accountId: string }, { id: string }>(
  `SELECT t.id FROM team t JOIN team_member m ON m.team_id = t.id
   WHERE t.organization_id = :organizationId AND t.owners = 1 AND m.account_id = :accountId`,
);
const selectAnyOwner = sql<{ organizationId: string }, { id: string }>(
  `SELECT a.id FROM team t JOIN team_member m ON m.team_id = t.id JOIN account a ON a.id = m.account_id
   WHERE t.organization_id = :organizationId AND t.owners = 1 AND a.invited = 0 LIMIT 1`,
);

export function findMembership(db: Queries, id: string) {
  return db.one(selectById, { id });
}

/** Finds an invitation of the email address. Excludes organizations that are being removed. */
export function findInvitation(db: Queries, id: string, email: string) {
  return db.one(selectInvitation, { id, email: foldedEmail(email) });
}

/** Returns the memberships of the organization with these ids. */
export function findMemberships(db: Queries, organizationId: string, ids: readonly string[]) {
  const from = fragment.raw(`${COLUMNS} FROM ${FROM}`);
  return select(
    db,
    fragment<Membership>`select ${from} where ${isOneOf('m.id', ids)} and m.organization_id = ${organizationId}`,
  );
}

/** Lists memberships, oldest first. */
export function listMembershipsOfOrganization(
  db: Queries,
  organizationId: string,
  filter: MembershipFilter,
  page: Page,
) {
  const pattern = containing(foldedEmail(filter.query));
  const where: Fragment[] = [
    fragment`m.organization_id = ${organizationId}`,
    ...(filter.status === undefined ? [] : [fragment`m.status = ${filter.status}`]),
    ...(filter.emails.length === 0 ? [] : [isOneOf('m.email', filter.emails.map(foldedEmail))]),
    ...(filter.query === ''
      ? []
      : [
          fragment`(m.email like ${pattern} escape '\\'
            or a.invited = 0 and lower(a.username) like ${pattern} escape '\\')`,
        ]),
  ];
  return selectSlice<Membership>(db, { columns: COLUMNS, from: FROM, where, orderBy: 'm.id' }, page);
}

/** Lists memberships of a team, oldest first. */
export function listMembershipsOfTeam(
  db: Queries,
  team: { readonly id: string; readonly organizationId: string },
  status: Status | undefined,
  page: Page,
) {
  const where = [
    fragment`m.organization_id = ${team.organizationId}`,
    fragment`m.account_id in (select x.account_id from team_member x where x.team_id = ${team.id})`,
    ...(status === undefined ? [] : [fragment`m.status = ${status}`]),
  ];
  return selectSlice<Membership>(db, { columns: COLUMNS, from: FROM, where, orderBy: 'm.id' }, page);
}

/**
 * Lists memberships of an account and invitations of its email address, by name of the organization. Excludes
 * organizations that are being removed.
 */
export function listMembershipsOfAccount(
  db: Queries,
  account: { readonly id: string; readonly email: string },
  status: Status | undefined,
  page: Page,
) {
  const isInvited = fragment`m.email = ${foldedEmail(account.email)} and m.status = 'invited'`;
  const where = [
    fragment`(m.account_id = ${account.id} or ${isInvited})`,
    fragment`o.deleted_at is null`,
    ...(status === undefined ? [] : [fragment`m.status = ${status}`]),
  ];
  return selectSlice<Membership>(db, { columns: COLUMNS, from: FROM, where, orderBy: 'o.name' }, page);
}

/** Membership with one of its teams. */
export interface TeamOf {
  readonly membershipId: string;
  readonly teamId: string;
}

/** Returns the teams of these memberships, by name. */
export function teamsOfMemberships(db: Queries, ids: readonly string[]) {
  return select(
    db,
    fragment<TeamOf>`select m.id as "membershipId", t.id as "teamId"
      from organization_membership m join team_member x on x.account_id = m.account_id
        join team t on t.id = x.team_id and t.organization_id = m.organization_id
      where ${isOneOf('m.id', ids)} order by t.name`,
  );
}

/** Adds a member. An existing membership stays unchanged. */
export function addToTeam(db: Queries, teamId: string, accountId: string) {
  return db.run(insertTeamMember, { teamId, accountId });
}

/** Removes a member, if they are in the team. */
export function removeFromTeam(db: Queries, teamId: string, accountId: string) {
  return db.run(removeTeamMember, { teamId, accountId });
}

/** Deletes the membership with its team memberships. Deletes a placeholder account without other invitations, too. */
export async function removeMembership(db: Queries, { id, organizationId, accountId }: Membership): Promise<void> {
  await db.run(removeFromTeams, { organizationId, accountId });
  await db.run(removeMembershipStatement, { id });
  await db.run(removeInvitation, { accountId });
}

export async function isOwner(db: Queries, organizationId: string, accountId: string): Promise<boolean> {
  return (await db.one(selectIsOwner, { organizationId, accountId })) !== undefined;
}

/** Returns whether the organization has an owner. Invited users do not count. */
export async function hasOwner(db: Queries, organizationId: string): Promise<boolean> {
  return (await db.one(selectAnyOwner, { organizationId })) !== undefined;
}
