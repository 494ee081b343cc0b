import { type Queries, sql } from '../../../storage/index.ts';
import { type Fragment, fragment, isOneOf, select } from '../../query/dynamic.ts';
import { NO_WORKSPACE_ACCESS, type WorkspaceAccess } from './access.ts';
import type { AgentActor, JobRef, TaskActor } from './actor.ts';

/** Joins to `workspace w` that `isServedBy` needs. */
export const SERVED_FROM =
  'workspace w JOIN organization o ON o.id = w.organization_id JOIN project j ON j.id = w.project_id';

/**
 * Returns a condition: the runs of `workspace w` are executed by agents of that pool, and the pool may still be used
 * by the workspace. The workspace's own setting comes first, then its project's, then its organization's. Null: the
 * server's own agents.
 */
export function isServedBy(poolId: PoolId | null): Fragment {
  if (poolId === null) return fragment`(${IS_REMOTE} and w.name < '~')`;
  return fragment`(${hasPool(poolId)} and ${isInScope(poolId)} and w.name < '~')`;
}

/** Condition: the server's own agents execute the runs of `workspace w`, by the same settings. */
export const IS_REMOTE = isInMode('remote');
/** Condition: no agent executes runs of `workspace w`, by the same settings. */
export const IS_LOCAL = isInMode('local');

function isInMode(mode: 'remote' | 'local'): Fragment {
  const [own, inherited] = [fragment.raw(`'%"execution-mode":"${mode}"%'`), fragment.raw(`'${mode}'`)];
  return fragment`(w.settings like ${own}
    or w.settings not like '%"execution-mode":"%' and w.agent_pool_id is null
      and coalesce(j.default_execution_mode, o.default_execution_mode) = ${inherited})`;
}

/** Pool id, or SQL that returns it for a row. */
type PoolId = string | Fragment;

/**
 * Id of the pool of `workspace w` by these settings, even if the pool does not allow the workspace. Null without a
 * pool.
 */
export const poolOf: Fragment = fragment`(case when w.agent_pool_id is not null then w.agent_pool_id
  when w.settings like '%"execution-mode":"%' then null
  when j.default_execution_mode is not null then case j.default_execution_mode when 'agent' then j.default_agent_pool_id end
  when o.default_execution_mode = 'agent' then o.default_agent_pool_id end)`;

// A workspace has its own pool only while its own mode is `agent`. It inherits the pool if it has no mode of its own.
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

/** Access of a job whose run the server has ended early (stage `over`). */
const ENDED: WorkspaceAccess = { ...NO_WORKSPACE_ACCESS, runs: 'read' };
/** Access of a run task service to the workspace of its run. */
const JUDGES: WorkspaceAccess = { ...NO_WORKSPACE_ACCESS, runs: 'read' };

/** Returns the access of a run task service to the workspace of its run. */
export function taskAccessTo({ workspaceId }: TaskActor, id: string): WorkspaceAccess {
  return workspaceId === id ? JUDGES : NO_WORKSPACE_ACCESS;
}

/** Access of an engine to a workspace whose state it may read. */
const READS: WorkspaceAccess = { ...NO_WORKSPACE_ACCESS, 'state-versions': 'read' };
/** Access of a job to the workspace of its run. */
const WORKS: WorkspaceAccess = { ...ENDED, 'state-versions': 'read' };
/** Access to the workspace of a started apply: only such a job writes states. */
const WRITES: WorkspaceAccess = { ...ENDED, 'state-versions': 'write' };

/** Selects runs that the agent still has under the same fence and is applying. */
const selectWork = sql<{ runId: string; fence: number; workspaceId: string }, { works: number; applies: number }>(
  `SELECT CASE WHEN r.agent_id IS NOT NULL THEN 1 ELSE 0 END AS works,
     CASE WHEN r.status = 'applying' THEN 1 ELSE 0 END AS applies
   FROM run r WHERE r.id = :runId AND r.fence = :fence AND r.workspace_id = :workspaceId`,
);

/**
 * Returns the agent's access to each of these workspaces, by id, without those that it has no access to. The agent
 * itself has access to none. A job token gives access to the workspace of the job, even if the pool no longer serves
 * it, so that a started job can finish.
 */
export async function agentAccessTo(
  db: Queries,
  { job }: AgentActor,
  ids: readonly string[],
): Promise<ReadonlyMap<string, WorkspaceAccess>> {
  if (job?.isReader) return readerAccessTo(db, job, ids);
  if (job === undefined || !ids.includes(job.workspaceId)) return new Map();
  const { runId, fence, workspaceId, phase, stage } = job;
  const work = await db.one(selectWork, { runId, fence, workspaceId });
  if (work === undefined || (work.works === 0 && stage !== 'over')) return new Map();
  const access = work.applies === 1 && phase === 'apply' ? WRITES : WORKS;
  return new Map([[workspaceId, work.works === 1 && stage !== 'over' ? access : ENDED]]);
}

/**
 * Access of the engine of a job while the job is assigned: it reads the states of its workspace and of the workspaces
 * that share their state with it.
 */
async function readerAccessTo(
  db: Queries,
  { fence, runId }: JobRef,
  ids: readonly string[],
): Promise<ReadonlyMap<string, WorkspaceAccess>> {
  const rows = await select(
    db,
    fragment<{ id: string }>`select w.id from run r join workspace own on own.id = r.workspace_id
      join workspace w on w.organization_id = own.organization_id and ${isOneOf('w.id', ids)}
      where r.id = ${runId} and r.fence = ${fence} and r.agent_id is not null and w.name < '~' and (w.id = own.id
        or w.settings like '%"global-remote-state":true%'
        or w.settings like '%"project-remote-state":true%' and w.project_id = own.project_id
        or exists (select 1 from remote_state_consumer c where c.workspace_id = w.id and c.consumer_id = own.id))`,
  );
  return new Map(rows.map(({ id }) => [id, READS]));
}
