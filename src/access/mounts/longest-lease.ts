import { type Database, sql } from '../../storage/index.ts';

const tunings = sql<Record<string, never>, { tuning: string }>('SELECT tuning FROM mount');

/** Returns the longest possible lifetime of any token, in seconds. A mount may allow more than the server default. */
export async function longestLease(database: Database, installation: number): Promise<number> {
  const rows = await database.all(tunings, {});
  const leases = rows.map(({ tuning }) => Number((JSON.parse(tuning) as Record<string, unknown>).max_lease_ttl ?? 0));
  return Math.max(installation, ...leases);
}
