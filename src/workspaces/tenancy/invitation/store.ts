import { type Queries, sql } from '../../../storage/index.ts';

/** Link of an open invitation. */
export interface InvitationLink {
  readonly membershipId: string;
  readonly organizationId: string;
  readonly organizationName: string;
  /** Email address to which the invitation is addressed. */
  readonly email: string;
  /** 1 if the link was sent to this address, so that its holder reads the mailbox. */
  readonly mailed: number;
  /** Id of the user who created the link; null for a team or an organization, and a user who is gone. */
  readonly createdBy: string | null;
  /** Name of the user who created the link; null for a team or an organization, and a user who is gone. */
  readonly invitedBy: string | null;
  readonly expiresAt: number;
}

/** Team into which an invitation leads. */
export interface InvitedTeam {
  readonly id: string;
  readonly owners: number;
  readonly visibility: string;
}

/** Open invitation to which an email belongs. */
export interface MailedInvitation {
  readonly organizationName: string;
  readonly email: string;
  readonly invitedBy: string | null;
}

const OPEN = `organization_membership m JOIN organization o ON o.id = m.organization_id AND o.deleted_at IS NULL`;
const IS_OPEN = `m.status = 'invited'`;

type NewLink = { hash: string; membershipId: string; mailed: number; createdBy: string | null; expiresAt: number };
const insertLink = sql<NewLink>(
  `INSERT INTO invitation_link (hash, membership_id, mailed, created_by, expires_at)
   VALUES (:hash, :membershipId, :mailed, :createdBy, :expiresAt)`,
);
const removeLink = sql<{ membershipId: string; mailed: number }>(
  'DELETE FROM invitation_link WHERE membership_id = :membershipId AND mailed = :mailed',
);
const removeLinksUntil = sql<{ now: number }>('DELETE FROM invitation_link WHERE expires_at <= :now');
const removeAllLinks = sql<{ membershipId: string }>('DELETE FROM invitation_link WHERE membership_id = :membershipId');
const selectLink = sql<{ hash: string; now: number }, InvitationLink>(
  `SELECT m.id AS "membershipId", o.id AS "organizationId", o.name AS "organizationName", m.email, l.mailed,
     l.created_by AS "createdBy", a.username AS "invitedBy", l.expires_at AS "expiresAt"
   FROM ${OPEN} JOIN invitation_link l ON l.membership_id = m.id LEFT JOIN account a ON a.id = l.created_by
   WHERE l.hash = :hash AND l.expires_at > :now AND ${IS_OPEN}`,
);
// Deletes the link in the transaction that uses it, so that of two uses one finds it.
const takeLinkStatement = sql<{ hash: string }, { membershipId: string }>(
  'DELETE FROM invitation_link WHERE hash = :hash RETURNING membership_id AS "membershipId"',
);
const selectTeams = sql<{ membershipId: string }, InvitedTeam>(
  `SELECT t.id, t.owners, t.visibility FROM organization_membership m
   JOIN team_member x ON x.account_id = m.account_id
   JOIN team t ON t.id = x.team_id AND t.organization_id = m.organization_id WHERE m.id = :membershipId`,
);
const readdress = sql<{ membershipId: string; email: string }>(
  `UPDATE organization_membership SET email = :email WHERE id = :membershipId AND email <> :email
   AND NOT EXISTS (SELECT 1 FROM organization_membership o
     WHERE o.organization_id = organization_membership.organization_id AND o.email = :email)`,
);

type NewMail = {
  id: string;
  organizationId: string;
  membershipId: string;
  invitedBy: string | null;
  target: string;
  now: number;
};
const insertMailStatement = sql<NewMail>(
  `INSERT INTO invitation_mail
     (id, organization_id, membership_id, invited_by, target, due_at, claim, claimed_until, failures, created_at)
   VALUES (:id, :organizationId, :membershipId, :invitedBy, :target, :now, NULL, 0, 0, :now)`,
);
const removeMails = sql<{ before: number }>(
  'DELETE FROM invitation_mail WHERE created_at <= :before AND due_at IS NULL',
);
const selectMail = sql<{ membershipId: string; now: number }, { id: string }>(
  `SELECT id FROM invitation_mail WHERE membership_id = :membershipId AND due_at IS NOT NULL
   UNION ALL SELECT membership_id FROM invitation_link
     WHERE membership_id = :membershipId AND mailed = 1 AND expires_at > :now
   LIMIT 1`,
);
const selectMailed = sql<{ membershipId: string; invitedBy: string | null }, MailedInvitation>(
  `SELECT o.name AS "organizationName", m.email, a.username AS "invitedBy"
   FROM ${OPEN} LEFT JOIN account a ON a.id = :invitedBy WHERE m.id = :membershipId AND ${IS_OPEN}`,
);

/** Replaces the link of an invitation. A mailed one and a shown one exist side by side. */
export async function replaceLink(db: Queries, link: NewLink): Promise<void> {
  await db.run(removeLink, { membershipId: link.membershipId, mailed: link.mailed });
  await db.run(insertLink, link);
}

/** Deletes the link of an email, which nobody gets. */
export const removeMailedLink = (db: Queries, membershipId: string) => db.run(removeLink, { membershipId, mailed: 1 });

export const removeExpiredLinks = (db: Queries, now: number) => db.run(removeLinksUntil, { now });

export const findLink = (db: Queries, hash: string, now: number) => db.one(selectLink, { hash, now });

/** Takes a link away. Returns undefined if it does not open an invitation, or another use was faster. */
export async function takeLink(db: Queries, hash: string, now: number): Promise<InvitationLink | undefined> {
  const link = await findLink(db, hash, now);
  if (link === undefined || (await db.one(takeLinkStatement, { hash })) === undefined) return undefined;
  await db.run(removeAllLinks, { membershipId: link.membershipId });
  return link;
}

/** Returns the teams into which an invitation leads, secret ones too. */
export const teamsOfInvitation = (db: Queries, membershipId: string) => db.all(selectTeams, { membershipId });

/** Gives a membership the address of its user, unless another membership of the organization has it. */
export const readdressMembership = (db: Queries, membershipId: string, email: string) =>
  db.run(readdress, { membershipId, email });

export const insertMail = (db: Queries, mail: NewMail) => db.run(insertMailStatement, mail);
export const removeOldMails = (db: Queries, before: number) => db.run(removeMails, { before });

/** Returns whether an email of an invitation waits, or the link in a sent one works. */
export async function hasMail(db: Queries, membershipId: string, now: number): Promise<boolean> {
  return (await db.one(selectMail, { membershipId, now })) !== undefined;
}

/** Finds the open invitation of an email. */
export const findMailed = (db: Queries, membershipId: string, invitedBy: string | null) =>
  db.one(selectMailed, { membershipId, invitedBy });
