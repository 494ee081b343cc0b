import { type Queries, sql, type Transaction } from '../../../storage/index.ts';
import { type Fragment, fragment, isOneOf, select } from '../../query/dynamic.ts';
import { isServedBy, SERVED_FROM } from '../../tenancy/index.ts';

/** @limit lost runs that one sweep ends, runs -> the rest waits for the next */
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

/** What an agent calls itself; undefined where it is forgotten. */
export async function agentName(db: Queries, id: string | null): Promise<string | undefined> {
  return id === null ? undefined : (await db.one(selectName, { id }))?.name;
}

/** The run that the agent has taken. */
export async function runHeldBy(db: Queries, agentId: string): Promise<string | undefined> {
  return (await db.one(selectHeld, { agentId }))?.id;
}

/** Where agents of a pool look for work. */
export interface Queue {
  /** Null for the installation's own agents. */
  readonly agentPoolId: string | null;
  /** Milliseconds since 1970: what somebody has taken who was not heard of since is free again. */
  readonly silentSince: number;
}

/** A run that nobody carries out, and who has taken it before; empty for nobody. */
export interface Candidate {
  readonly id: string;
  readonly before: string;
  /** 1 where it waits to be applied. */
  readonly isApply: number;
}

/** The first run in the queue that waits for an agent of the pool. @param left runs that are passed over */
export async function firstWaitingRun(db: Queries, queue: Queue, left: readonly string[] = []) {
  for (const those of CLASSES) {
    const [found] = await select(db, waiting(queue, those, left));
    if (found !== undefined) return found;
  }
  return undefined;
}

/**
 * Returns the same, and takes it: on PostgreSQL it is nobody else's until the unit of work is over, and those that others are taking are
 * passed over; on SQLite one unit of work writes at a time.
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

// Each in the words of its index, and in its order: applies, plans, plans alone, and in each of them workspaces by turns
// (lifecycle/queue.ts); then, where no run waits, assessments.
const CLASSES = [fragment`r.queue_class in (1, 2, 3)`, fragment`r.queue_class = 5`];

function waiting({ agentPoolId, silentSince }: Queue, those: Fragment, left: readonly string[]) {
  const others = left.length === 0 ? fragment`` : fragment` and not ${isOneOf('r.id', left)}`;
  return fragment<Candidate>`select r.id, coalesce(r.agent_id, '') as before,
      case when r.status = 'apply_queued' then 1 else 0 end as "isApply" from run r
    left join agent g on g.id = r.agent_id and g.ended is null and g.last_ping_at >= ${silentSince}
    where r.queued = 1 and r.queue_pool = ${agentPoolId ?? ''} and ${those} and r.waits = 0
      and r.status in ('plan_queued', 'apply_queued') and g.id is null
      and exists (select 1 from ${fragment.raw(SERVED_FROM)} where w.id = r.workspace_id and ${isServedBy(agentPoolId)})${others}
    order by r.queue_class, r.queue_turn, r.id limit 1`;
}

/** False when somebody else was faster: one conditional UPDATE decides. */
export async function claimRun(
  tx: Transaction,
  agentId: string,
  { id, before }: Pick<Candidate, 'id' | 'before'>,
): Promise<boolean> {
  return (await tx.one(takeRun, { id, agentId, before })) !== undefined;
}

/** Some of the runs whose agent is gone. */
export async function lostRuns(db: Queries, silentSince: number): Promise<string[]> {
  return (await db.all(selectLost, { silentSince, limit: MAX_LOST })).map(({ id }) => id);
}

/** Whether that agent is there. */
export async function isAgentConnected(db: Queries, id: string, silentSince: number): Promise<boolean> {
  return (await db.one(selectConnected, { id, silentSince })) !== undefined;
}
