import { type Queries, sql } from '../../../storage/index.ts';
import type { OrganizationSettings } from '../organization/organization.ts';

const MINUTE_MS = 60_000;

const selectLimits = sql<{ userId: string }, { settings: string }>(
  `SELECT o.settings FROM organization_membership m JOIN organization o ON o.id = m.organization_id
   WHERE m.account_id = :userId AND m.status = 'active' AND o.deleted_at IS NULL`,
);

/** Limits of a new session in milliseconds. Infinity is none. */
export interface OrganizationTimes {
  /** `session-timeout`: maximum time without a request. */
  readonly idleMs: number;
  /** `session-remember`: maximum lifetime. */
  readonly lifetimeMs: number;
}

/** Returns the shortest times that the organizations of a user set. A session works in all of them. */
export async function organizationTimes(db: Queries, userId: string): Promise<OrganizationTimes> {
  const rows = await db.all(selectLimits, { userId });
  const all = rows.map(({ settings }) => JSON.parse(settings) as Partial<OrganizationSettings>);
  const least = (name: 'session-timeout' | 'session-remember') =>
    Math.min(...all.map((settings) => (settings[name] ?? Number.POSITIVE_INFINITY) * MINUTE_MS));
  return { idleMs: least('session-timeout'), lifetimeMs: least('session-remember') };
}
