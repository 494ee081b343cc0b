import { type Queries, sql } from '../../../storage/index.ts';
import { type Fragment, fragment, isOneOf, select } from '../../query/dynamic.ts';
import { NO_WORKSPACE_ACCESS, type WorkspaceAccess } from './access.ts';
import type { AgentActor, JobRef, TaskActor } from './actor.ts';

/** What has to be joined to `workspace w` for `isServedBy`. */
export const SERVED_FROM =
  'workspace w JOIN organization o ON o.id = w.organization_id JOIN project j ON j.id = w.project_id';

/**
 * Whether the runs of `workspace w` are for the agents of that pool: by its own setting, its project's or its
 * organization's, in this order; and whether the pool is still for that workspace. Null: for the installation's own agents.
 */
export function isServedBy(poolId: PoolId | null): Fragment {
  if (poolId === null) return fragment`(${IS_REMOTE} and w.name < '~')`;
  return fragment`(${hasPool(poolId)} and ${isInScope(poolId)} and w.name < '~')`;
}

/** Whether `workspace w` leaves its runs to the installation, by the same settings. */
export const IS_REMOTE = isInMode('remote');
/** Whether no agent executes runs of `workspace w`, by the same settings. */
export const IS_LOCAL = isInMode('local');

function isInMode(mode: 'remote' | 'local'): Fragment {
  const [own, inherited] = [fragment.raw(`'%"execution-mode":"${mode}"%'`), fragment.raw(`'${mode}'`)];
  return fragment`(w.settings like ${own}
    or w.settings not like '%"execution-mode":"%' and w.agent_pool_id is null
      and coalesce(j.default_execution_mode, o.default_execution_mode) = ${inherited})`;
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

/** Of one whose run was ended a moment ago. */
const ENDED: WorkspaceAccess = { ...NO_WORKSPACE_ACCESS, runs: 'read' };
/** Of one whose run a service is asked about. */
const JUDGES: WorkspaceAccess = { ...NO_WORKSPACE_ACCESS, runs: 'read' };

/** What a service may see of the workspace whose run it is asked about. */
export function taskAccessTo({ workspaceId }: TaskActor, id: string): WorkspaceAccess {
  return workspaceId === id ? JUDGES : NO_WORKSPACE_ACCESS;
}

/** Of one whose state is read. */
const READS: WorkspaceAccess = { ...NO_WORKSPACE_ACCESS, 'state-versions': 'read' };
/** Of one with the run of the job. */
const WORKS: WorkspaceAccess = { ...ENDED, 'state-versions': 'read' };
/** Access to the workspace of a started apply: only such a job writes states. */
const WRITES: WorkspaceAccess = { ...ENDED, 'state-versions': 'write' };

/** Whether an agent still has that run, as it was taken then, and is applying it. */
const selectWork = sql<{ runId: string; fence: number; workspaceId: string }, { works: number; applies: number }>(
  `SELECT CASE WHEN r.agent_id IS NOT NULL THEN 1 ELSE 0 END AS works,
     CASE WHEN r.status = 'applying' THEN 1 ELSE 0 END AS applies
   FROM run r WHERE r.id = :runId AND r.fence = :fence AND r.workspace_id = :workspaceId`,
);

/**
 * What an agent may do with each of these workspaces, by id; those that are nothing to it are left out. By itself it sees none: with the
 * token of a job it sees the one of the job, even when its pool serves that no longer, since what was begun comes to its end.
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

/** What the engine of a job reads: the states of its workspace and of those that share theirs with it, as long as somebody carries it out. */
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
