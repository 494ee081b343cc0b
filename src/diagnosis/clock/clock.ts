import { type Finding, type NamedFinding, skipped } from '../../lib/finding/finding.ts';
import { outside, skewFinding } from '../../lib/finding/skew.ts';
import { sql } from '../../storage/index.ts';
import type { Subject } from '../model/check.ts';
import type { Site } from '../model/site.ts';

/** Resolution of the header `Date` (RFC 9110 §5.6.7). */
const SECOND = 1_000;

/** Whether the clocks of all machines involved agree. */
export const clock: Subject = {
  name: 'clock',
  checks: [
    { name: 'database', run: database, isCheap: true },
    { name: 'server', run: server },
  ],
};

const now = sql<Record<string, never>, { now: number }>(
  'SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint AS now',
);

async function database(site: Site): Promise<Finding> {
  const { access } = await site.stores();
  if (access.dialect === 'sqlite') return skipped('the database is on this machine');
  const before = site.clock();
  const there = (await access.one(now, {}))?.now ?? 0;
  const after = site.clock();
  return skewFinding(outside(there, before, after), 'the database');
}

async function server(site: Site): Promise<Finding | NamedFinding[]> {
  const dated = (await site.listeners()).flatMap(({ address, date, at }) =>
    date === undefined ? [] : [{ address, date, at }],
  );
  if (dated.length === 0) return skipped('no server answers');
  return dated.map(({ address, date, at }) => ({
    name: address,
    ...skewFinding(outside(at, date, date + 2 * SECOND), 'the server'),
  }));
}
