import { type Queries, sql } from '../../../storage/index.ts';
import { fragment, isOneOf, select } from '../../query/dynamic.ts';
import {
  type AgentActor,
  type JobRef,
  NO_WORKSPACE_ACCESS,
  type TaskActor,
  type WorkspaceAccess,
} from '../../tenancy/index.ts';
import { NOT_DELETED } from './row.ts';

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
      where r.id = ${runId} and r.fence = ${fence} and r.agent_id is not null and ${fragment.raw(NOT_DELETED)} and (w.id = own.id
        or w.global_remote_state = 1
        or w.project_remote_state = 1 and w.project_id = own.project_id
        or exists (select 1 from remote_state_consumer c where c.workspace_id = w.id and c.consumer_id = own.id))`,
  );
  return new Map(rows.map(({ id }) => [id, READS]));
}
