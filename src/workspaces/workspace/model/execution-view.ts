import { type Fragment, fragment } from '../../query/dynamic.ts';
import { notDeleted } from './row.ts';

const EXISTS = fragment.raw(notDeleted('x'));

/** View of the workspaces with the execution settings that they have or inherit, as `isServedBy` needs it. */
export const EXECUTION = 'workspace_execution x';

/**
 * Returns a condition: the runs of `workspace_execution x` are executed by agents of that pool, and the pool may still
 * be used by the workspace. Null: the server's own agents.
 */
export function isServedBy(poolId: PoolId | null): Fragment {
  if (poolId === null) return fragment`(${IS_REMOTE} and ${EXISTS})`;
  return fragment`(x.agent_pool_id = ${poolId} and ${isInScope(poolId)} and ${EXISTS})`;
}

/** Condition: the server's own agents execute the runs of `workspace_execution x`. */
export const IS_REMOTE: Fragment = fragment`x.execution_mode = 'remote'`;
/** Condition: no agent executes runs of `workspace_execution x`. */
export const IS_LOCAL: Fragment = fragment`x.execution_mode = 'local'`;

/** Pool id, or SQL that returns it for a row. */
type PoolId = string | Fragment;

function isInScope(poolId: PoolId): Fragment {
  const listed = (excluded: number) => fragment`exists (select 1 from agent_pool_workspace l
    where l.agent_pool_id = ${poolId} and l.excluded = ${excluded} and l.workspace_id = x.id)`;
  return fragment`(not ${listed(1)} and (${listed(0)}
    or exists (select 1 from agent_pool a where a.id = ${poolId} and a.organization_scoped = 1)
    or exists (select 1 from agent_pool_project l where l.agent_pool_id = ${poolId} and l.project_id = x.project_id)))`;
}
