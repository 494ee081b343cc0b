import { type Finding, failure, success } from '../../lib/finding/finding.ts';
import type { Check } from '../model/check.ts';
import type { Site } from '../model/site.ts';
import { connect, end, postgresOf, row, withClient } from './postgres-client.ts';

/** Turns that two connections take. One that is lent out for each statement is soon seen in two hands. */
const ROUNDS = 8;

/**
 * Whether something between us and the server lends its connections for a statement or a transaction at a time (PgBouncer in
 * `transaction` mode). Then a session is nobody's own: advisory locks are left behind in it, LISTEN hears nothing, and settings get lost.
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
      if (isOwn) return success('each connection has a session of its own');
      return failure(
        'a pooler lends one session to several connections',
        'connect to PostgreSQL itself, or set the pooler to session mode: advisory locks and LISTEN need a session of their own',
      );
    } finally {
      await end(other);
    }
  });
}
