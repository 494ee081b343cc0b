import { type Finding, failure, success } from '../../lib/finding/finding.ts';
import type { Check } from '../model/check.ts';
import type { Site } from '../model/site.ts';
import { connect, end, postgresOf, row, withClient } from './postgres-client.ts';

/** Number of rounds with two connections. A pooler that shares sessions is found within a few rounds. */
const ROUNDS = 8;

/**
 * Detects a pooler that shares sessions between connections (PgBouncer in `transaction` or `statement` mode). With
 * shared sessions advisory locks stay behind, LISTEN receives nothing, and session settings are lost.
 */
export const pooler: Check = { name: 'pooler', run: look };

async function look(site: Site, signal: AbortSignal): Promise<Finding> {
  const { url } = postgresOf(site);
  return withClient(site, signal, async (one) => {
    const other = await connect(url, signal);
    try {
      const backends: [Set<number>, Set<number>] = [new Set(), new Set()];
      for (let round = 0; round < ROUNDS; round++) {
        for (const [index, client] of [one, other].entries()) {
          const { pid } = await row<{ pid: number }>(client, 'SELECT pg_backend_pid() AS pid');
          backends[index]?.add(pid);
        }
      }
      const [ours, theirs] = backends;
      const isOwn = ours.size === 1 && theirs.size === 1 && ![...ours].some((pid) => theirs.has(pid));
      if (isOwn) return success('each connection has its own session');
      return failure(
        'a pooler shares one session between several connections',
        'connect to PostgreSQL directly, or set the pooler to session mode: advisory locks and LISTEN need a session of their own',
      );
    } finally {
      await end(other);
    }
  });
}
