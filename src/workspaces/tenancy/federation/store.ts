import { type Queries, sql } from '../../../storage/index.ts';
import { type Fragment, fragment, isOneOf, select } from '../../query/dynamic.ts';

/** Team that groups give or have given. */
export interface GivenTeam {
  readonly id: string;
  readonly organizationId: string;
  readonly owners: number;
}

type Identity = { issuer: string; subject: string };
type InTeam = { teamId: string; accountId: string };

const selectAccount = sql<Identity, { accountId: string }>(
  'SELECT account_id AS "accountId" FROM federated_identity WHERE issuer = :issuer AND subject = :subject',
);
type OfOrganization = Identity & { organizationId: string };
const selectMember = sql<OfOrganization, { accountId: string }>(
  `SELECT account_id AS "accountId" FROM organization_identity
   WHERE organization_id = :organizationId AND issuer = :issuer AND subject = :subject`,
);
const insertMember = sql<OfOrganization & { accountId: string; now: number }>(
  `INSERT INTO organization_identity (organization_id, issuer, subject, account_id, created_at)
   VALUES (:organizationId, :issuer, :subject, :accountId, :now)`,
);
const countMembersStatement = sql<{ organizationId: string; limit: number }, { count: number }>(
  'SELECT COUNT(*) AS count FROM (SELECT 1 FROM account WHERE organization_id = :organizationId LIMIT :limit) a',
);
const selectPlace = sql<{ organizationId: string; email: string }, { id: string; status: string }>(
  'SELECT id, status FROM organization_membership WHERE organization_id = :organizationId AND email = :email',
);
const selectAny = sql<{ accountId: string }, { subject: string }>(
  'SELECT subject FROM federated_identity WHERE account_id = :accountId LIMIT 1',
);
const insertIdentity = sql<Identity & { accountId: string; now: number }>(
  `INSERT INTO federated_identity (issuer, subject, account_id, created_at) VALUES (:issuer, :subject, :accountId, :now)`,
);
const noteDirectory = sql<Identity & { directoryId: string }>(
  `UPDATE federated_identity SET directory_id = :directoryId
   WHERE issuer = :issuer AND subject = :subject AND (directory_id IS NULL OR directory_id <> :directoryId)`,
);
const selectIsInvited = sql<{ email: string }, { id: string }>(
  `SELECT m.id FROM organization_membership m JOIN organization o ON o.id = m.organization_id
   WHERE m.email = :email AND m.status = 'invited' AND o.deleted_at IS NULL LIMIT 1`,
);
const selectManaged = sql<{ accountId: string }, GivenTeam>(
  `SELECT t.id, t.organization_id AS "organizationId", t.owners FROM team_member m JOIN team t ON t.id = m.team_id
   WHERE m.account_id = :accountId AND m.managed = 1`,
);
const insertManaged = sql<InTeam>(
  'INSERT INTO team_member (team_id, account_id, managed) VALUES (:teamId, :accountId, 1) ON CONFLICT DO NOTHING',
);
const removeManaged = sql<InTeam>(
  'DELETE FROM team_member WHERE team_id = :teamId AND account_id = :accountId AND managed = 1',
);
// Locks the row, so that the last two owners cannot leave at the same time.
const claimTeam = sql<{ id: string }, { id: string }>('UPDATE team SET name = name WHERE id = :id RETURNING id');
const selectOtherOwner = sql<InTeam, { id: string }>(
  `SELECT a.id FROM team_member m JOIN account a ON a.id = m.account_id
   WHERE m.team_id = :teamId AND m.account_id <> :accountId AND a.invited = 0 LIMIT 1`,
);
const selectMembership = sql<{ organizationId: string; accountId: string }, { id: string }>(
  'SELECT id FROM organization_membership WHERE organization_id = :organizationId AND account_id = :accountId',
);
const markMembership = sql<{ organizationId: string; accountId: string }>(
  'UPDATE organization_membership SET managed = 1 WHERE organization_id = :organizationId AND account_id = :accountId',
);
const removeMemberships = sql<{ accountId: string }>(
  `DELETE FROM organization_membership WHERE account_id = :accountId AND managed = 1
   AND NOT EXISTS (SELECT 1 FROM team_member m JOIN team t ON t.id = m.team_id
     WHERE m.account_id = :accountId AND t.organization_id = organization_membership.organization_id)`,
);
const grantSiteAdmin = sql<{ id: string }>(
  'UPDATE account SET site_admin = 1, managed_site_admin = 1 WHERE id = :id AND site_admin = 0',
);
const revokeSiteAdmin = sql<{ id: string }>(
  'UPDATE account SET site_admin = 0, managed_site_admin = 0 WHERE id = :id AND managed_site_admin = 1',
);

/**
 * Finds the account of a user whom an identity provider has authenticated.
 * @param organizationId organization whose own provider authenticates the user; absent: the provider of the server
 */
export async function findLinkedAccount(
  db: Queries,
  identity: Identity,
  organizationId?: string,
): Promise<string | undefined> {
  const { issuer, subject } = identity;
  const found = organizationId
    ? await db.one(selectMember, { organizationId, issuer, subject })
    : await db.one(selectAccount, { issuer, subject });
  return found?.accountId;
}

/** Returns whether an identity provider has authenticated this account. */
export async function isAccountLinked(db: Queries, accountId: string): Promise<boolean> {
  return (await db.one(selectAny, { accountId })) !== undefined;
}

/**
 * Links an account to a user of an identity provider.
 * @param organizationId as in `findLinkedAccount`
 */
export function linkAccount(db: Queries, identity: Identity, accountId: string, now: number, organizationId?: string) {
  const { issuer, subject } = identity;
  const row = { issuer, subject, accountId, now };
  return organizationId ? db.run(insertMember, { ...row, organizationId }) : db.run(insertIdentity, row);
}

/** Stores the directory id that the identity provider reports for a user. */
export function noteDirectoryId(db: Queries, { issuer, subject }: Identity, directoryId: string) {
  return db.run(noteDirectory, { issuer, subject, directoryId });
}

/** Counts the users of an organization's own provider, up to a limit. */
export async function countLinkedAccounts(db: Queries, organizationId: string, limit: number): Promise<number> {
  return (await db.one(countMembersStatement, { organizationId, limit }))?.count ?? 0;
}

/** Finds the member or the invitation of an organization with this email address. */
export function findMembershipByEmail(db: Queries, organizationId: string, email: string) {
  return db.one(selectPlace, { organizationId, email });
}

export async function isInvited(db: Queries, email: string): Promise<boolean> {
  return (await db.one(selectIsInvited, { email })) !== undefined;
}

/** Returns the teams that groups have given. */
export function managedTeams(db: Queries, accountId: string) {
  return db.all(selectManaged, { accountId });
}

/** Selects teams by a rule or by their `sso-team-id`. */
export function teamsWhere(db: Queries, which: Fragment) {
  return select(
    db,
    fragment<GivenTeam>`select t.id, t.organization_id as "organizationId", t.owners
      from team t join organization o on o.id = t.organization_id where o.deleted_at is null and ${which}`,
  );
}

export const teamsWithin = (organizationId: string, which: Fragment) =>
  fragment`t.organization_id = ${organizationId} and (${which})`;
export const teamNamed = (organization: string, team: string) =>
  fragment`o.name = ${organization} and t.name = ${team}`;
export const teamsOfGroups = (groups: readonly string[]) =>
  fragment`t.owners = 0 and ${isOneOf('t.sso_team_id', groups)}`;

/** Adds a managed membership. A membership that was added by hand stays unchanged. */
export function joinTeam(db: Queries, teamId: string, accountId: string) {
  return db.run(insertManaged, { teamId, accountId });
}

/** Removes a managed membership. Keeps memberships that were added by hand, and the last owner. */
export async function leaveTeam(db: Queries, { id: teamId, owners }: GivenTeam, accountId: string): Promise<void> {
  if (owners === 1) {
    await db.one(claimTeam, { id: teamId });
    if ((await db.one(selectOtherOwner, { teamId, accountId })) === undefined) return;
  }
  await db.run(removeManaged, { teamId, accountId });
}

export async function isMember(db: Queries, organizationId: string, accountId: string): Promise<boolean> {
  return (await db.one(selectMembership, { organizationId, accountId })) !== undefined;
}

export function manageMembership(db: Queries, organizationId: string, accountId: string) {
  return db.run(markMembership, { organizationId, accountId });
}

/** Removes managed memberships of organizations in which the user has no team left. */
export function removeMembershipsWithoutTeam(db: Queries, accountId: string) {
  return db.run(removeMemberships, { accountId });
}

/** Changes managed site administrators only; those set by hand stay. */
export function setSiteAdmin(db: Queries, id: string, isAdmin: boolean) {
  return db.run(isAdmin ? grantSiteAdmin : revokeSiteAdmin, { id });
}
