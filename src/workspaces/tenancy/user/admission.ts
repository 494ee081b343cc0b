import type { Clock } from '../../../lib/clock.ts';
import { prefixedId } from '../../../lib/ids.ts';
import { type Queries, sql, type Transaction } from '../../../storage/index.ts';
import { foldedEmail } from './email.ts';

/** New membership with its account. */
type NewMembership = {
  id: string;
  organizationId: string;
  accountId: string;
  email: string;
  status: string;
  now: number;
};
/** Invitations of an email address: one of them, or all if `id` is empty. */
type Invitations = { email: string; id: string };
type Accepted = Invitations & { accountId: string };

const insertMembership = sql<NewMembership>(
  `INSERT INTO organization_membership (id, organization_id, account_id, email, status, created_at)
   VALUES (:id, :organizationId, :accountId, :email, :status, :now)
   ON CONFLICT (organization_id, email) DO NOTHING`,
);

const INVITED = `m.email = :email AND m.status = 'invited' AND :id IN ('', m.id)`;
const TEAMS = `organization_membership m JOIN team t ON t.organization_id = m.organization_id
  JOIN team_member x ON x.team_id = t.id AND x.account_id = m.account_id`;
/** Statements that accept an invitation, in order. */
const ACCEPT = [
  sql<Accepted>(
    `INSERT INTO team_member (team_id, account_id) SELECT x.team_id, :accountId FROM ${TEAMS} WHERE ${INVITED}
     ON CONFLICT DO NOTHING`,
  ),
  sql<Invitations>(
    `DELETE FROM team_member WHERE (team_id, account_id) IN (SELECT x.team_id, x.account_id FROM ${TEAMS} WHERE ${INVITED})`,
  ),
  // The statement keeps an existing membership under another email address.
  sql<Accepted>(
    `DELETE FROM organization_membership WHERE id IN (SELECT m.id FROM organization_membership m WHERE ${INVITED}
       AND EXISTS (SELECT 1 FROM organization_membership o
         WHERE o.organization_id = m.organization_id AND o.account_id = :accountId))`,
  ),
  sql<Accepted>(
    `UPDATE organization_membership SET account_id = :accountId, status = 'active'
     WHERE id IN (SELECT m.id FROM organization_membership m WHERE ${INVITED})`,
  ),
] as const;
const removePlaceholders = sql<{ email: string }>(
  `DELETE FROM account WHERE lower(email) = :email AND invited = 1
   AND NOT EXISTS (SELECT 1 FROM organization_membership m WHERE m.account_id = account.id)`,
);
const updateEmail = sql<{ accountId: string; email: string }>(
  'UPDATE organization_membership SET email = :email WHERE account_id = :accountId',
);
const selectInvited = sql<{ organizationId: string; limit: number }, { count: number }>(
  `SELECT COUNT(*) AS count FROM (SELECT 1 FROM organization_membership
     WHERE organization_id = :organizationId AND status = 'invited' LIMIT :limit) i`,
);

/** Adds accounts to organizations, inside transactions of the caller. The caller checks permissions. */
export class Admission {
  readonly #clock: Clock;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Makes the account a member without an invitation to accept. */
  async admit(tx: Transaction, organizationId: string, { id, email }: { id: string; email: string }): Promise<void> {
    await this.#insert(tx, organizationId, id, email, 'active');
  }

  /**
   * Invites an email address, with or without an account. `placeholderId` is the account that stands for the invited
   * user until they accept. Returns undefined if the address is already a member or invited.
   */
  invite(tx: Transaction, organizationId: string, placeholderId: string, email: string): Promise<string | undefined> {
    return this.#insert(tx, organizationId, placeholderId, email, 'invited');
  }

  /** Counts the open invitations of the organization, up to a limit. */
  async invited(db: Queries, organizationId: string, limit: number): Promise<number> {
    return (await db.one(selectInvited, { organizationId, limit }))?.count ?? 0;
  }

  /** Accepts one invitation for the account with this email address, or all if none is given. */
  async accept(tx: Transaction, accountId: string, email: string, id = ''): Promise<void> {
    const invitations = { email: foldedEmail(email), id };
    const [join, leave, drop, become] = ACCEPT;
    await tx.run(join, { ...invitations, accountId });
    await tx.run(leave, invitations);
    await tx.run(drop, { ...invitations, accountId });
    await tx.run(become, { ...invitations, accountId });
    await tx.run(removePlaceholders, { email: invitations.email });
  }

  /** Updates memberships after the account has got another, unused email address. */
  async readdress(tx: Transaction, accountId: string, email: string): Promise<void> {
    await tx.run(updateEmail, { accountId, email: foldedEmail(email) });
  }

  /** Email addresses are stored in lower case, because they ignore case. */
  async #insert(tx: Transaction, organizationId: string, accountId: string, email: string, status: string) {
    const now = this.#clock();
    const id = prefixedId('ou', now);
    const row = { id, organizationId, accountId, email: foldedEmail(email), status, now };
    return (await tx.run(insertMembership, row)) === 1 ? id : undefined;
  }
}
