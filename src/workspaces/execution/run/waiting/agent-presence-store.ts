import type { Queries } from '../../../../storage/index.ts';
import { type Fragment, fragment, isOneOf, select } from '../../../query/dynamic.ts';
import { EXECUTION, IS_LOCAL, IS_REMOTE, isServedBy } from '../../../workspace/index.ts';

/**
 * Number of queued runs that one sweep checks, longest waiting first.
 * @limit queued runs that one sweep checks for a connected agent, runs -> later sweeps check the others
 */
const MAX_ASKED = 1000;
/** @limit waiting runs that one sweep marks as without an agent, runs -> the next sweep marks the others */
const MAX_TOLD = 100;

/** Condition on `agent g`: the agent is executing a run. */
const IS_BUSY = fragment.raw('exists (select 1 from run b where b.agent_id = g.id)');
/**
 * @limit different sets of engines among the agents of a list of runs, sets -> the reason why a run waits may be
 * missing
 */
const MAX_SETS = 1000;
const ASKED = fragment.raw('id, organization_id, workspace_id, agent_id, queue_turn');

/** Agents that may execute a run. */
export interface Place {
  readonly isServed: number;
  readonly poolId: string | null;
  /** Name of the agent pool of the workspace; null if it has none. */
  readonly pool: string | null;
  /** Whether the execution mode of the workspace is `remote`. */
  readonly isRemote: number;
  /** Whether the execution mode of the workspace is `local`, so that no agent executes its runs. */
  readonly isLocal: number;
  /** Last request of any agent of the pool, milliseconds since 1970. */
  readonly lastPingAt: number | null;
  /** Number of connected agents of the pool. */
  readonly connected: number;
  /** Number of connected agents that execute nothing. */
  readonly idle: number;
}

/**
 * Returns some runs that have waited since `waitingSince` or longer, and for which no agent is connected.
 * @param further condition on `run`
 */
export function runsWithoutAgent(
  db: Queries,
  waitingSince: number,
  silentSince: number,
  hasOwn: boolean,
  further: Fragment,
): Promise<string[]> {
  const waiting = fragment`select ${ASKED} from run where queued = 1 and queue_class in (1, 2, 3) and waiting_for is null
    and queue_turn <= ${waitingSince} and ${further} order by queue_turn, id limit ${MAX_ASKED}`;
  return ids(
    db,
    fragment<{ id: string }>`select r.id from (${waiting}) r
      left join agent g on g.id = r.agent_id and ${isHeardOf(silentSince)}
      where g.id is null and not ${isServed(silentSince, hasOwn)} order by r.queue_turn, r.id limit ${MAX_TOLD}`,
  );
}

/** Returns some runs that are marked as without an agent, although an agent is connected now. */
export function runsWithAgent(db: Queries, silentSince: number, hasOwn: boolean, further: Fragment): Promise<string[]> {
  const told = fragment`select ${ASKED} from run where waiting_for is not null
    and queue_class in (1, 2, 3) and ${further} order by id limit ${MAX_ASKED}`;
  return ids(
    db,
    fragment<{
      id: string;
    }>`select r.id from (${told}) r where ${isServed(silentSince, hasOwn)} order by r.id limit ${MAX_TOLD}`,
  );
}

/** Returns the agents for each run that waits unclaimed, by run id. */
export async function queuePlaces(
  db: Queries,
  runIds: readonly string[],
  silentSince: number,
  hasOwn: boolean,
): Promise<ReadonlyMap<string, Place>> {
  if (runIds.length === 0) return new Map();
  const ofPool = fragment.raw('(g.agent_pool_id = pool.id or pool.id is null and g.agent_pool_id is null)');
  const rows = await select(
    db,
    fragment<Place & { id: string }>`select r.id, pool.id as "poolId", pool.name as pool,
        case when ${isServed(silentSince, hasOwn)} then 1 else 0 end as "isServed",
        case when ${IS_REMOTE} then 1 else 0 end as "isRemote",
        case when ${IS_LOCAL} then 1 else 0 end as "isLocal",
        (select max(g.last_ping_at) from agent g where ${ofPool}) as "lastPingAt",
        (select count(*) from agent g where ${ofPool} and ${isHeardOf(silentSince)}) as connected,
        (select count(*) from agent g where ${ofPool} and ${isHeardOf(silentSince)} and not ${IS_BUSY}) as idle
      from run r join ${fragment.raw(EXECUTION)} on x.id = r.workspace_id
      left join agent_pool pool on pool.id = x.agent_pool_id
      left join agent taken on taken.id = r.agent_id and taken.ended is null and taken.last_ping_at >= ${silentSince}
      where ${isOneOf('r.id', runIds)} and r.queued = 1 and r.queue_class in (1, 2, 3) and taken.id is null`,
  );
  return new Map(rows.map(({ id, ...place }) => [id, place]));
}

/** Engines that agents of one pool have. */
export interface EngineSet {
  /** Pool of the agents; null for the server's own agents. */
  readonly poolId: string | null;
  /** Engines as a JSON list, as the agents report it. */
  readonly engines: string;
  readonly anyEngine: number;
  readonly isBusy: number;
}

/** Returns the engines of the connected agents of these pools, each set once. */
export async function engineSets(
  db: Queries,
  poolIds: readonly (string | null)[],
  silentSince: number,
): Promise<EngineSet[]> {
  if (poolIds.length === 0) return [];
  const keys = [...new Set(poolIds.map((id) => id ?? ''))];
  return await select(
    db,
    fragment<EngineSet>`select distinct g.agent_pool_id as "poolId", g.engines, g.any_engine as "anyEngine",
        case when ${IS_BUSY} then 1 else 0 end as "isBusy"
      from agent g where ${isOneOf("coalesce(g.agent_pool_id, '')", keys)} and ${isHeardOf(silentSince)} limit ${MAX_SETS}`,
  );
}

/** Condition on `run r`: a connected agent may take it, now or when it has finished other runs. */
function isServed(silentSince: number, hasOwn: boolean): Fragment {
  return hasOwn
    ? fragment`(${isServedByOwn(silentSince)} or ${isServedByPool(silentSince)})`
    : isServedByPool(silentSince);
}

function isServedByOwn(silentSince: number): Fragment {
  return fragment`exists (select 1 from ${fragment.raw(EXECUTION)} where x.id = r.workspace_id and ${isServedBy(null)}
    and exists (select 1 from agent g where g.agent_pool_id is null and ${isHeardOf(silentSince)}))`;
}

function isServedByPool(silentSince: number): Fragment {
  return fragment`exists (select 1 from agent_pool p, ${fragment.raw(EXECUTION)}
    where p.organization_id = r.organization_id and x.id = r.workspace_id and ${isServedBy(fragment.raw('p.id'))}
      and exists (select 1 from agent g where g.agent_pool_id = p.id and ${isHeardOf(silentSince)}))`;
}

function isHeardOf(since: number): Fragment {
  return fragment`g.ended is null and g.last_ping_at >= ${since}`;
}

async function ids(db: Queries, query: Parameters<typeof select<{ id: string }>>[1]): Promise<string[]> {
  return (await select(db, query)).map(({ id }) => id);
}
