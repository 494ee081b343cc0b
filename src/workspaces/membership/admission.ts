import type { Clock } from '../../lib/clock.ts';
import { prefixedId } from '../../lib/ids.ts';
import { sql, type Transaction } from '../../storage/index.ts';
import { foldedEmail } from '../names.ts';

/** The address is kept in lower case: it is one address whatever the case. */
const insertFromAccount = sql<{ id: string; organizationId: string; accountId: string; now: number }>(
  `INSERT INTO organization_membership (id, organization_id, account_id, email, status, created_at)
   SELECT :id, :organizationId, a.id, lower(a.email), CASE a.invited WHEN 1 THEN 'invited' ELSE 'active' END, :now
   FROM account a WHERE a.id = :accountId
   ON CONFLICT (organization_id, email) DO NOTHING`,
);
const acceptAll = sql<{ accountId: string }>(
  `UPDATE organization_membership SET status = 'active' WHERE account_id = :accountId AND status = 'invited'`,
);
const updateEmail = sql<{ accountId: string; email: string }>(
  'UPDATE organization_membership SET email = :email WHERE account_id = :accountId',
);

/** Lets accounts into organizations, inside units of work of others. Who may do so has been asked before. */
export class Admission {
  readonly #clock: Clock;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Undefined for an account that is in already. An account that nobody has taken yet is invited. */
  async admit(tx: Transaction, organizationId: string, accountId: string): Promise<string | undefined> {
    const now = this.#clock();
    const id = prefixedId('ou', now);
    const written = await tx.run(insertFromAccount, { id, organizationId, accountId, now });
    return written === 1 ? id : undefined;
  }

  /** The account is somebody's now. */
  async accept(tx: Transaction, accountId: string): Promise<void> {
    await tx.run(acceptAll, { accountId });
  }

  /** The account has another address now, which nobody else has. */
  async readdress(tx: Transaction, accountId: string, email: string): Promise<void> {
    await tx.run(updateEmail, { accountId, email: foldedEmail(email) });
  }
}
