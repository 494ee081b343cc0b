import { type Database, sql } from '../../../storage/index.ts';
import { SILENCE } from '../agent-pool/agent.ts';

const agents = sql<{ since: number }, { agents: number; idle: number }>(
  `SELECT COUNT(*) AS agents, COALESCE(SUM(CASE WHEN r.id IS NULL THEN 1 ELSE 0 END), 0) AS idle
   FROM agent g LEFT JOIN run r ON r.agent_id = g.id
   WHERE g.last_ping_at >= :since AND g.ended IS NULL`,
);
// Condition that matches the index of runs that wait for a pool.
const waiting = sql<Record<string, never>, { waiting: number; oldest: number | null; unattended: number }>(
  `SELECT COUNT(*) AS waiting, MIN(queue_turn) AS oldest, COUNT(waiting_for) AS unattended
   FROM run WHERE queued = 1 AND queue_class IN (1, 2, 3) AND agent_id IS NULL`,
);

/**
 * Returns how many runs wait for agents, over all organizations, for the diagnosis. @param now milliseconds since
 * 1970
 */
export async function workFacts(database: Database, now: number) {
  const there = await database.one(agents, { since: now - SILENCE });
  const work = await database.one(waiting, {});
  return {
    agents: there?.agents ?? 0,
    idle: there?.idle ?? 0,
    waiting: work?.waiting ?? 0,
    oldest: work?.oldest ?? undefined,
    unattended: work?.unattended ?? 0,
  };
}
