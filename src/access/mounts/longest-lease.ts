import { type Database, sql } from '../../storage/index.ts';

const tunings = sql<Record<string, never>, { tuning: string }>('SELECT tuning FROM mount');

/** How long any token lives at the most, in seconds: a mount may allow more than the installation does. */
export async function longestLease(database: Database, installation: number): Promise<number> {
  const rows = await database.all(tunings, {});
  const leases = rows.map(({ tuning }) => Number((JSON.parse(tuning) as Record<string, unknown>).max_lease_ttl ?? 0));
  return Math.max(installation, ...leases);
}
