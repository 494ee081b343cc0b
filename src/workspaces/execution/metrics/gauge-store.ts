import type { Queries } from '../../../storage/index.ts';
import { fragment, select } from '../../query/dynamic.ts';
import type { AGENT_STATUSES } from '../agent-pool/agent.ts';
import { FINAL, RUN_STATUSES, type RunStatus } from '../lifecycle/status.ts';

/** @limit runs of one status or waiting for one pool that metrics count, runs -> the metric stays at this value */
const MAX_COUNTED = 10_000;
/** @limit agent pools in metrics, pools -> the others are left out */
const MAX_POOLS = 100;
/** @limit agents that metrics count, agents -> agents with the oldest last request are left out */
const MAX_AGENTS = 2_000;

/** Statuses of unfinished runs, without those of assessments. */
const NOT_OVER = RUN_STATUSES.filter((status) => !FINAL.includes(status) && status !== 'assessing');

type AgentStatus = (typeof AGENT_STATUSES)[number];

/** Number of runs with a status. */
export interface RunCount {
  readonly status: RunStatus;
  readonly count: number;
}

/** Counts the runs of each status that is not final. */
export function runsByStatus(db: Queries): Promise<RunCount[]> {
  const counted = NOT_OVER.map(
    (status) => fragment`select ${fragment.raw(`'${status}'`)} as status, (select count(*) from (select 1 from run
      where finished_at is null and operation <> 'assessment' and status = ${fragment.raw(`'${status}'`)}
      limit ${fragment.raw(`${MAX_COUNTED}`)}) counted) as count`,
  );
  return select(db, fragment<RunCount>`${fragment.join(counted, fragment.raw(' union all '))}`);
}

/** A pool for whose agents runs wait: its id, empty for the server's own agents, null for no pool. */
export interface Queue {
  readonly pool: string | null;
  readonly waiting: number;
  /** Time since which the oldest run waits, in milliseconds since 1970; null if it was not recorded. */
  readonly since: number | null;
}

const WAITS = 'queued = 1 and queue_class in (1, 2, 3) and agent_id is null';

/** Loose index scan from pool to pool: the cost depends on the number of pools, not of runs. */
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

/** Number of agents of one pool in one state; the pool is null for the server's own agents. */
export interface AgentGroup {
  readonly pool: string | null;
  readonly status: AgentStatus;
  readonly agents: number;
}

/**
 * Counts the agents of each pool by state.
 * @param since milliseconds since 1970: agents without a request since then have the state `unknown`
 */
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

/** Returns the names of pools by id. */
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
