import type { Queries } from '../../../storage/index.ts';
import { type Fragment, fragment, isOneOf, select } from '../../query/dynamic.ts';
import { NO_WORKSPACE_ACCESS, type WorkspaceAccess } from './access.ts';
import type { AgentActor } from './actor.ts';

/** What has to be joined to `workspace w` for `isServedBy`. */
export const SERVED_FROM =
  'workspace w JOIN organization o ON o.id = w.organization_id JOIN project j ON j.id = w.project_id';

/**
 * Whether the runs of `workspace w` are for the agents of that pool: by its own setting, its project's or its
 * organization's, in this order; and whether the pool is still for that workspace.
 */
export function isServedBy(poolId: PoolId): Fragment {
  return fragment`(${hasPool(poolId)} and ${isInScope(poolId)} and w.name < '~')`;
}

/** A value, or SQL that says it of a row. */
type PoolId = string | Fragment;

/** The id of the pool that `workspace w` has by these settings, whether it is for the workspace or not; null without one. */
export const poolOf: Fragment = fragment`(case when w.agent_pool_id is not null then w.agent_pool_id
  when w.settings like '%"execution-mode":"%' then null
  when j.default_execution_mode is not null then case j.default_execution_mode when 'agent' then j.default_agent_pool_id end
  when o.default_execution_mode = 'agent' then o.default_agent_pool_id end)`;

// A workspace has a pool of its own as long as its own mode is that of agents, and inherits when it says no mode.
function hasPool(poolId: PoolId): Fragment {
  return fragment`(w.agent_pool_id = ${poolId}
    or w.agent_pool_id is null and w.settings not like '%"execution-mode":"%' and (
      j.default_execution_mode = 'agent' and j.default_agent_pool_id = ${poolId}
      or j.default_execution_mode is null and o.default_execution_mode = 'agent'
        and o.default_agent_pool_id = ${poolId}))`;
}

function isInScope(poolId: PoolId): Fragment {
  const listed = (excluded: number) => fragment`exists (select 1 from agent_pool_workspace x
    where x.agent_pool_id = ${poolId} and x.excluded = ${excluded} and x.workspace_id = w.id)`;
  return fragment`(not ${listed(1)} and (${listed(0)}
    or exists (select 1 from agent_pool a where a.id = ${poolId} and a.organization_scoped = 1)
    or exists (select 1 from agent_pool_project x where x.agent_pool_id = ${poolId} and x.project_id = w.project_id)))`;
}

/** Of a workspace that its pool serves. */
const SERVES: WorkspaceAccess = { ...NO_WORKSPACE_ACCESS, runs: 'read' };
/** Of one with a run that it carries out, even when the pool serves it no longer: what was begun comes to its end. */
const WORKS: WorkspaceAccess = { ...SERVES, 'state-versions': 'read' };
/** The same while that run has locked it. */
const WRITES: WorkspaceAccess = { ...SERVES, 'state-versions': 'write' };

interface Row {
  readonly id: string;
  readonly serves: number;
  readonly works: number;
  readonly writes: number;
}

/** What an agent may do with each of these workspaces, by id; those that are nothing to it are left out. One query. */
export async function agentAccessTo(
  db: Queries,
  { agentPoolId, agentId = '' }: AgentActor,
  ids: readonly string[],
): Promise<ReadonlyMap<string, WorkspaceAccess>> {
  if (ids.length === 0) return new Map();
  const is = (condition: Fragment) => fragment`case when ${condition} then 1 else 0 end`;
  const run = (condition: string) => fragment`exists (select 1 from run r
    where r.agent_id = ${agentId} and ${fragment.raw(condition)})`;
  const rows = await select(
    db,
    fragment<Row>`select w.id, ${is(isServedBy(agentPoolId))} as serves,
        ${is(run('r.workspace_id = w.id'))} as works,
        ${is(run("r.id = w.lock_holder_id and w.lock_holder_type = 'runs'"))} as writes
      from ${fragment.raw(SERVED_FROM)} where ${isOneOf('w.id', ids)}`,
  );
  const accesses = rows.map((row) => [row.id, accessOf(row)] as const);
  return new Map(accesses.flatMap(([id, access]) => (access === undefined ? [] : [[id, access]])));
}

function accessOf({ serves, works, writes }: Row): WorkspaceAccess | undefined {
  if (writes === 1) return WRITES;
  if (works === 1) return WORKS;
  return serves === 1 ? SERVES : undefined;
}
