import { type Queries, sql } from '../../../../storage/index.ts';

const HOUR = 3_600_000;

type Taking = { organizationId: string; recipients: number; now: number; over: number; most: number };

/** An hour that starts in the future is of a clock that was ahead. Without this, the quota would stay used up until then. */
const IS_OVER = '(email_usage.began_at <= :over OR email_usage.began_at > :now)';

// One statement, so that several nodes cannot take the same places.
const take = sql<Taking, { recipients: number }>(
  `INSERT INTO email_usage (organization_id, began_at, recipients) VALUES (:organizationId, :now, :recipients)
   ON CONFLICT (organization_id) DO UPDATE SET
     began_at = CASE WHEN ${IS_OVER} THEN excluded.began_at ELSE email_usage.began_at END,
     recipients = CASE WHEN ${IS_OVER} THEN excluded.recipients
       ELSE email_usage.recipients + excluded.recipients END
   WHERE ${IS_OVER} OR email_usage.recipients + excluded.recipients <= :most
   RETURNING recipients`,
);
const giveBack = sql<{ organizationId: string; recipients: number; over: number }>(
  `UPDATE email_usage SET recipients = CASE WHEN recipients > :recipients THEN recipients - :recipients ELSE 0 END
   WHERE organization_id = :organizationId AND began_at > :over`,
);
const selectBegin = sql<{ organizationId: string }, { beganAt: number }>(
  'SELECT began_at AS "beganAt" FROM email_usage WHERE organization_id = :organizationId',
);

/**
 * Takes places of the organization's quota for an email. Its hour starts with its first email.
 * @param most recipients in an hour
 * @returns undefined; if too few are left, the time of the next hour, milliseconds since 1970
 */
export async function takeQuota(
  db: Queries,
  organizationId: string,
  recipients: number,
  most: number,
  now: number,
): Promise<number | undefined> {
  const taking = { organizationId, recipients, now, over: now - HOUR, most };
  if ((await db.one(take, taking)) !== undefined) return undefined;
  return ((await db.one(selectBegin, { organizationId }))?.beganAt ?? now) + HOUR;
}

/** Gives places back, for recipients who did not get the email. */
export async function giveQuotaBack(db: Queries, organizationId: string, recipients: number, now: number) {
  if (recipients > 0) await db.run(giveBack, { organizationId, recipients, over: now - HOUR });
}
