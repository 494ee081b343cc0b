import { type Queries, sql, type Transaction } from '../../../storage/index.ts';
import { type Fragment, fragment, isOneOf, select } from '../../query/dynamic.ts';
import { EXECUTION, isServedBy } from '../../workspace/index.ts';

/** @limit runs of lost agents that one sweep ends, runs -> the next sweep ends the others */
const MAX_LOST = 100;

const selectHeld = sql<{ agentId: string }, { id: string }>('SELECT id FROM run WHERE agent_id = :agentId');
const takeRun = sql<{ id: string; agentId: string; before: string }, { id: string }>(
  `UPDATE run SET agent_id = :agentId, carried_by = :agentId, fence = fence + 1, waiting_for = NULL, version = version + 1
   WHERE id = :id AND status IN ('plan_queued', 'apply_queued') AND waits = 0 AND COALESCE(agent_id, '') = :before
   RETURNING id`,
);
const selectLost = sql<{ silentSince: number; limit: number }, { id: string }>(
  `SELECT r.id FROM run r LEFT JOIN agent g ON g.id = r.agent_id
   WHERE r.agent_id IS NOT NULL AND (g.id IS NULL OR g.ended IS NOT NULL OR g.last_ping_at < :silentSince)
   ORDER BY r.id LIMIT :limit`,
);
const selectConnected = sql<{ id: string; silentSince: number }, { id: string }>(
  'SELECT id FROM agent WHERE id = :id AND ended IS NULL AND last_ping_at >= :silentSince',
);

const selectName = sql<{ id: string }, { name: string }>('SELECT name FROM agent WHERE id = :id');

/** Returns the name of an agent; undefined if the agent was deleted. */
export async function agentName(db: Queries, id: string | null): Promise<string | undefined> {
  return id === null ? undefined : (await db.one(selectName, { id }))?.name;
}

/** Returns the run that the agent has claimed. */
export async function runHeldBy(db: Queries, agentId: string): Promise<string | undefined> {
  return (await db.one(selectHeld, { agentId }))?.id;
}

/** The queue from which agents of a pool claim runs. */
export interface Queue {
  /** Pool of the agent; null for the server's own agents. */
  readonly agentPoolId: string | null;
  /** Time in milliseconds since 1970. Claims of agents without a request since then are lost. */
  readonly silentSince: number;
}

/** An unclaimed run, and the agent that claimed it before; empty if there was none. */
export interface Candidate {
  readonly id: string;
  readonly before: string;
  /** 1 if the run waits for its apply; 0 if it waits for its plan. */
  readonly isApply: number;
}

/** Returns the first run in the queue that waits for an agent of the pool. @param left runs to skip */
export async function firstWaitingRun(db: Queries, queue: Queue, left: readonly string[] = []) {
  for (const those of CLASSES) {
    const [found] = await select(db, waiting(queue, those, left));
    if (found !== undefined) return found;
  }
  return undefined;
}

/**
 * Like `firstWaitingRun`, but locks the row. On PostgreSQL, `SKIP LOCKED` passes over runs that others are claiming.
 * SQLite has a single writer.
 */
export async function firstClaimableRun(
  tx: Transaction,
  queue: Queue,
  left: readonly string[] = [],
): Promise<Candidate | undefined> {
  const locked = tx.dialect === 'postgres' ? fragment` for update of r skip locked` : fragment``;
  for (const those of CLASSES) {
    const [found] = await select(tx, fragment<Candidate>`${waiting(queue, those, left)}${locked}`);
    if (found !== undefined) return found;
  }
  return undefined;
}

// Matches the indexes and their order: applies, plans, plan-only runs, with the workspaces of each class by turns
// (lifecycle/queue.ts). Assessments come last, when no run waits.
const CLASSES = [fragment`r.queue_class in (1, 2, 3)`, fragment`r.queue_class = 5`];

function waiting({ agentPoolId, silentSince }: Queue, those: Fragment, left: readonly string[]) {
  const others = left.length === 0 ? fragment`` : fragment` and not ${isOneOf('r.id', left)}`;
  return fragment<Candidate>`select r.id, coalesce(r.agent_id, '') as before,
      case when r.status = 'apply_queued' then 1 else 0 end as "isApply" from run r
    left join agent g on g.id = r.agent_id and g.ended is null and g.last_ping_at >= ${silentSince}
    where r.queued = 1 and r.queue_pool = ${agentPoolId ?? ''} and ${those} and r.waits = 0
      and r.status in ('plan_queued', 'apply_queued') and g.id is null
      and exists (select 1 from ${fragment.raw(EXECUTION)} where x.id = r.workspace_id and ${isServedBy(agentPoolId)})${others}
    order by r.queue_class, r.queue_turn, r.id limit 1`;
}

/** Claims a run with one conditional UPDATE (optimistic concurrency). Returns false if another agent was faster. */
export async function claimRun(
  tx: Transaction,
  agentId: string,
  { id, before }: Pick<Candidate, 'id' | 'before'>,
): Promise<boolean> {
  return (await tx.one(takeRun, { id, agentId, before })) !== undefined;
}

/** Returns some runs whose agent is lost. */
export async function lostRuns(db: Queries, silentSince: number): Promise<string[]> {
  return (await db.all(selectLost, { silentSince, limit: MAX_LOST })).map(({ id }) => id);
}

/** Returns whether that agent is connected. */
export async function isAgentConnected(db: Queries, id: string, silentSince: number): Promise<boolean> {
  return (await db.one(selectConnected, { id, silentSince })) !== undefined;
}
