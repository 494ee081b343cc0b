import type { Queries } from '../../../../storage/index.ts';
import { type Fragment, fragment, isOneOf, select } from '../../../query/dynamic.ts';
import { IS_LOCAL, IS_REMOTE, isServedBy, poolOf, SERVED_FROM } from '../../../tenancy/index.ts';

/**
 * Of those in the queue, the ones that wait longest.
 * @limit runs that one sweep asks about whether anybody is there for them, runs -> the rest is asked about later
 */
const MAX_ASKED = 1000;
/** @limit runs of which one sweep says that nobody is there for them, runs -> the rest waits for the next */
const MAX_TOLD = 100;

/** Condition on `agent g`. */
const IS_BUSY = fragment.raw('exists (select 1 from run b where b.agent_id = g.id)');
/** @limit different sets of engines that agents of all pools of a list of runs have, sets -> the reason of a run may be missing */
const MAX_SETS = 1000;
const ASKED = fragment.raw('id, organization_id, workspace_id, agent_id, queue_turn');

/** Who is there for a run. */
export interface Place {
  readonly isServed: number;
  readonly poolId: string | null;
  /** The name of the pool that its workspace has; null when it has none. */
  readonly pool: string | null;
  /** Its workspace leaves it to the installation. */
  readonly isRemote: number;
  /** No agent executes runs of its workspace any more. */
  readonly isLocal: number;
  /** Milliseconds since 1970: the last agent of the pool. */
  readonly lastPingAt: number | null;
  /** Agents of the pool that were heard of. */
  readonly connected: number;
  /** Number of them that execute nothing. */
  readonly idle: number;
}

/** Some of those that have waited since a time, and for whom no agent is there that was heard of since another. */
export function runsWithoutAgent(
  db: Queries,
  waitingSince: number,
  silentSince: number,
  hasOwn: boolean,
): Promise<string[]> {
  const waiting = fragment`select ${ASKED} from run where queued = 1 and queue_class in (1, 2, 3) and waiting_for is null
    and queue_turn <= ${waitingSince} order by queue_turn, id limit ${MAX_ASKED}`;
  return ids(
    db,
    fragment<{ id: string }>`select r.id from (${waiting}) r
      left join agent g on g.id = r.agent_id and ${isHeardOf(silentSince)}
      where g.id is null and not ${isServed(silentSince, hasOwn)} order by r.queue_turn, r.id limit ${MAX_TOLD}`,
  );
}

/** Some of those of which it was said that nobody is there, where somebody is. */
export function runsWithAgent(db: Queries, silentSince: number, hasOwn: boolean): Promise<string[]> {
  const told = fragment`select ${ASKED} from run where waiting_for is not null
    and queue_class in (1, 2, 3) order by id limit ${MAX_ASKED}`;
  return ids(
    db,
    fragment<{
      id: string;
    }>`select r.id from (${told}) r where ${isServed(silentSince, hasOwn)} order by r.id limit ${MAX_TOLD}`,
  );
}

/** By the id of the run: of those that wait for an agent, and that none has taken. */
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
      from run r join (${fragment.raw(SERVED_FROM)}) on w.id = r.workspace_id
      left join agent_pool pool on pool.id = ${poolOf}
      left join agent taken on taken.id = r.agent_id and taken.ended is null and taken.last_ping_at >= ${silentSince}
      where ${isOneOf('r.id', runIds)} and r.queued = 1 and r.queue_class in (1, 2, 3) and taken.id is null`,
  );
  return new Map(rows.map(({ id, ...place }) => [id, place]));
}

/** Engines that agents of a pool have. */
export interface EngineSet {
  /** Null for the agents of the server. */
  readonly poolId: string | null;
  /** A list in JSON, as the agents report it. */
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

/** Of `run r`: an agent is there that may take it, now or when it is done with others. */
function isServed(silentSince: number, hasOwn: boolean): Fragment {
  return hasOwn
    ? fragment`(${isServedByOwn(silentSince)} or ${isServedByPool(silentSince)})`
    : isServedByPool(silentSince);
}

function isServedByOwn(silentSince: number): Fragment {
  return fragment`exists (select 1 from ${fragment.raw(SERVED_FROM)} where w.id = r.workspace_id and ${isServedBy(null)}
    and exists (select 1 from agent g where g.agent_pool_id is null and ${isHeardOf(silentSince)}))`;
}

function isServedByPool(silentSince: number): Fragment {
  return fragment`exists (select 1 from agent_pool p, ${fragment.raw(SERVED_FROM)}
    where p.organization_id = r.organization_id and w.id = r.workspace_id and ${isServedBy(fragment.raw('p.id'))}
      and exists (select 1 from agent g where g.agent_pool_id = p.id and ${isHeardOf(silentSince)}))`;
}

function isHeardOf(since: number): Fragment {
  return fragment`g.ended is null and g.last_ping_at >= ${since}`;
}

async function ids(db: Queries, query: Parameters<typeof select<{ id: string }>>[1]): Promise<string[]> {
  return (await select(db, query)).map(({ id }) => id);
}
