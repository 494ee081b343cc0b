import { type Queries, sql } from '../../../storage/index.ts';

/** email: an invitation that was sent. account: an account that the holder of a link created. */
export type UseKind = 'email' | 'account';

/** Use of an invitation that counts for daily limits. */
export type InvitationUse = {
  readonly id: string;
  readonly kind: UseKind;
  readonly organizationId: string;
  readonly principalId: string;
  /** Hash of the email address; null for an account. */
  readonly recipient: string | null;
  /** Account that was created; null for an email. */
  readonly accountId: string | null;
  readonly now: number;
};

/** Numbers of uses since a time. */
export interface UseCounts {
  readonly ofServer: number;
  readonly ofOrganization: number;
  readonly ofPrincipal: number;
  /** Emails of the principal to the recipient. */
  readonly toRecipient: number;
}

const insertUseStatement = sql<InvitationUse>(
  `INSERT INTO invitation_use (id, kind, organization_id, principal_id, recipient, account_id, created_at)
   VALUES (:id, :kind, :organizationId, :principalId, :recipient, :accountId, :now)`,
);
// The limit of the server bounds the rows.
const countUsesStatement = sql<Omit<InvitationUse, 'id' | 'accountId' | 'now'> & { after: number }, UseCounts>(
  `SELECT COUNT(*) AS "ofServer",
     COUNT(CASE WHEN organization_id = :organizationId THEN 1 END) AS "ofOrganization",
     COUNT(CASE WHEN principal_id = :principalId THEN 1 END) AS "ofPrincipal",
     COUNT(CASE WHEN principal_id = :principalId AND recipient = :recipient THEN 1 END) AS "toRecipient"
   FROM invitation_use WHERE kind = :kind AND created_at > :after`,
);
const selectCreator = sql<{ accountId: string; after: number }, { principalId: string }>(
  `SELECT principal_id AS "principalId" FROM invitation_use
   WHERE kind = 'account' AND created_at > :after AND account_id = :accountId`,
);
const removeUses = sql<{ before: number }>('DELETE FROM invitation_use WHERE created_at <= :before');
const selectFounder = sql<{ organizationId: string }, { founderId: string | null }>(
  'SELECT founder_id AS "founderId" FROM organization WHERE id = :organizationId',
);

export const insertUse = (db: Queries, use: InvitationUse) => db.run(insertUseStatement, use);
export const removeOldUses = (db: Queries, before: number) => db.run(removeUses, { before });

/** Counts the uses of one kind after a time. */
export async function countUses(
  db: Queries,
  { id: _, accountId: __, now: ___, ...use }: InvitationUse,
  after: number,
): Promise<UseCounts> {
  const none = { ofServer: 0, ofOrganization: 0, ofPrincipal: 0, toRecipient: 0 };
  return (await db.one(countUsesStatement, { ...use, after })) ?? none;
}

/** Returns the user who created an organization; undefined if that is unknown. */
export async function founderOf(db: Queries, organizationId: string): Promise<string | undefined> {
  return (await db.one(selectFounder, { organizationId }))?.founderId ?? undefined;
}

/** Returns the principal for which the creation of an account counts; undefined if it was created otherwise, or earlier. */
export async function creatorOf(db: Queries, accountId: string, after: number): Promise<string | undefined> {
  return (await db.one(selectCreator, { accountId, after }))?.principalId;
}
