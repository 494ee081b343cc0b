import type { Clock } from '../../../lib/clock.ts';
import { prefixedId } from '../../../lib/ids.ts';
import { type Queries, sql, type Transaction } from '../../../storage/index.ts';
import { foldedEmail } from './email.ts';

/** Somebody's place in an organization, with the account that it belongs to. */
type NewMembership = {
  id: string;
  organizationId: string;
  accountId: string;
  email: string;
  status: string;
  now: number;
};
/** Invitations of an address: one of them, or all where `id` is empty. */
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
/** What an invitation becomes, one after the other. */
const ACCEPT = [
  sql<Accepted>(
    `INSERT INTO team_member (team_id, account_id) SELECT x.team_id, :accountId FROM ${TEAMS} WHERE ${INVITED}
     ON CONFLICT DO NOTHING`,
  ),
  sql<Invitations>(
    `DELETE FROM team_member WHERE (team_id, account_id) IN (SELECT x.team_id, x.account_id FROM ${TEAMS} WHERE ${INVITED})`,
  ),
  // Whoever is in already, under another address, stays so.
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

/** Lets accounts into organizations, inside units of work of others. Who may do so has been asked before. */
export class Admission {
  readonly #clock: Clock;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Makes the account a member, of its own will. */
  async admit(tx: Transaction, organizationId: string, { id, email }: { id: string; email: string }): Promise<void> {
    await this.#insert(tx, organizationId, id, email, 'active');
  }

  /**
   * Invites whoever has the address, or will have it. `placeholderId` is the account that stands for them until they accept.
   * Undefined for an address that is a member or invited already.
   */
  invite(tx: Transaction, organizationId: string, placeholderId: string, email: string): Promise<string | undefined> {
    return this.#insert(tx, organizationId, placeholderId, email, 'invited');
  }

  /** How many invitations of the organization wait, counted up to a limit. */
  async invited(db: Queries, organizationId: string, limit: number): Promise<number> {
    return (await db.one(selectInvited, { organizationId, limit }))?.count ?? 0;
  }

  /** The account, which has the address, accepts one invitation; or all of them, where none is named. */
  async accept(tx: Transaction, accountId: string, email: string, id = ''): Promise<void> {
    const invitations = { email: foldedEmail(email), id };
    const [join, leave, drop, become] = ACCEPT;
    await tx.run(join, { ...invitations, accountId });
    await tx.run(leave, invitations);
    await tx.run(drop, { ...invitations, accountId });
    await tx.run(become, { ...invitations, accountId });
    await tx.run(removePlaceholders, { email: invitations.email });
  }

  /** The account has another address now, which nobody else has. */
  async readdress(tx: Transaction, accountId: string, email: string): Promise<void> {
    await tx.run(updateEmail, { accountId, email: foldedEmail(email) });
  }

  /** The address is kept in lower case: it is one address whatever the case. */
  async #insert(tx: Transaction, organizationId: string, accountId: string, email: string, status: string) {
    const now = this.#clock();
    const id = prefixedId('ou', now);
    const row = { id, organizationId, accountId, email: foldedEmail(email), status, now };
    return (await tx.run(insertMembership, row)) === 1 ? id : undefined;
  }
}
