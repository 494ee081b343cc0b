import type { Queries } from '../../../storage/index.ts';
import { fragment, select } from '../../query/dynamic.ts';
import type { AGENT_STATUSES } from '../agent-pool/agent.ts';
import { FINAL, RUN_STATUSES, type RunStatus } from '../lifecycle/status.ts';

/** @limit runs of one status, or waiting for one pool, that are counted for metrics, runs -> the figure stays at this */
const MAX_COUNTED = 10_000;
/** @limit agent pools that metrics name, pools -> the rest is left out */
const MAX_POOLS = 100;
/** @limit agents that metrics look at, those heard of last, agents -> the others are left out */
const MAX_AGENTS = 2_000;
/** @limit what waits to be sent, receivers that metrics count, rows -> the figure stays at this */
const MAX_DUE = 10_000;

/** Statuses in which a run is not over; what an assessment comes to is none of them. */
const NOT_OVER = RUN_STATUSES.filter((status) => !FINAL.includes(status) && status !== 'assessing');

type AgentStatus = (typeof AGENT_STATUSES)[number];

/** How many runs there are of a status. */
export interface RunCount {
  readonly status: RunStatus;
  readonly count: number;
}

/** Of each status that is not the last. */
export function runsByStatus(db: Queries): Promise<RunCount[]> {
  const counted = NOT_OVER.map(
    (status) => fragment`select ${fragment.raw(`'${status}'`)} as status, (select count(*) from (select 1 from run
      where finished_at is null and operation <> 'assessment' and status = ${fragment.raw(`'${status}'`)}
      limit ${fragment.raw(`${MAX_COUNTED}`)}) counted) as count`,
  );
  return select(db, fragment<RunCount>`${fragment.join(counted, fragment.raw(' union all '))}`);
}

/** A pool whose agents something waits for: its id, or empty for the installation's own; null for nobody's. */
export interface Queue {
  readonly pool: string | null;
  readonly waiting: number;
  /** Milliseconds since 1970; null where nobody has noted it. */
  readonly since: number | null;
}

const WAITS = 'queued = 1 and queue_class in (1, 2, 3) and agent_id is null';

/** From pool to pool by the index: what it costs depends on their number, not on that of the runs. */
export async function waitingByPool(db: Queries): Promise<Queue[]> {
  const waits = fragment.raw(WAITS);
  const most = fragment.raw(`${MAX_COUNTED}`);
  const pools = await select(
    db,
    fragment<Queue>`with recursive pools (pool) as (
        select (select min(queue_pool) from run where ${waits})
        union all
        select (select min(queue_pool) from run where ${waits} and queue_pool > p.pool) from pools p
          where p.pool is not null)
      select pool, (select min(queued_since) from run where ${waits} and queue_pool = pools.pool) as since,
        (select count(*) from (select 1 from run where ${waits} and queue_pool = pools.pool limit ${most}) counted) as waiting
      from pools where pool is not null limit ${fragment.raw(`${MAX_POOLS}`)}`,
  );
  const nobodys = await select(
    db,
    fragment<Queue>`select null as pool, (select min(queued_since) from run where ${waits} and queue_pool is null) as since,
      (select count(*) from (select 1 from run where ${waits} and queue_pool is null limit ${most}) counted) as waiting`,
  );
  return [...pools, ...nobodys].filter(({ waiting }) => waiting > 0);
}

/** Agents of one pool, null for the installation's own, that do the same. */
export interface AgentGroup {
  readonly pool: string | null;
  readonly status: AgentStatus;
  readonly agents: number;
}

/** @param since milliseconds: nobody knows what became of those that were not heard of since */
export function agentGroups(db: Queries, since: number): Promise<AgentGroup[]> {
  return select(
    db,
    fragment<AgentGroup>`select g.agent_pool_id as pool,
        case when g.ended is not null then g.ended when g.last_ping_at < ${since} then 'unknown'
          when exists (select 1 from run r where r.agent_id = g.id) then 'busy' else 'idle' end as status,
        count(*) as agents
      from (select id, agent_pool_id, ended, last_ping_at from agent order by last_ping_at desc
        limit ${fragment.raw(`${MAX_AGENTS}`)}) g
      group by 1, 2`,
  );
}

/** What pools are called, by id. */
export async function poolNames(db: Queries, ids: readonly string[]) {
  const named = ids.slice(0, MAX_POOLS);
  if (named.length === 0) return new Map<string, { pool: string; organization: string }>();
  const rows = await select(
    db,
    fragment<{ id: string; pool: string; organization: string }>`select p.id, p.name as pool, o.name as organization
      from agent_pool p join organization o on o.id = p.organization_id where p.id in (${fragment.join(named)})`,
  );
  return new Map(rows.map(({ id, ...names }) => [id, names]));
}

/** What is to be sent, and when the first of it was due; milliseconds, null without any. */
export interface Outbox {
  readonly queue: 'notifications' | 'run_tasks';
  readonly pending: number;
  readonly dueAt: number | null;
}

/** Without those of organizations that are being removed: nothing is sent for them. */
export function outboxCounts(db: Queries): Promise<Outbox[]> {
  const of = (queue: Outbox['queue'], table: string) => {
    const from = fragment.raw(table);
    return fragment`select ${fragment.raw(`'${queue}'`)} as queue,
      (select count(*) from (select 1 from ${from} where due_at is not null limit ${fragment.raw(`${MAX_DUE}`)}) counted) as pending,
      (select d.due_at from ${from} d join organization o on o.id = d.organization_id and o.deleted_at is null
        where d.due_at is not null order by d.due_at limit 1) as "dueAt"`;
  };
  return select(
    db,
    fragment<Outbox>`${of('notifications', 'notification_configuration')} union all ${of('run_tasks', 'task_result')}`,
  );
}
