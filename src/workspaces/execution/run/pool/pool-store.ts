import type { Queries } from '../../../../storage/index.ts';
import { type Fragment, fragment, select } from '../../../query/dynamic.ts';
import { EXECUTION, IS_LOCAL, IS_REMOTE } from '../../../workspace/index.ts';

/**
 * @limit queued runs that one sweep compares with the settings of their workspaces, runs -> later sweeps compare the
 * others
 */
const MAX_COMPARED = 1000;

// Expression on `workspace_execution x`: the pool whose agents execute its runs, in the form of `run.queue_pool`.
const POOL = fragment`case when ${IS_REMOTE} then '' else x.agent_pool_id end`;
const FROM = fragment.raw(EXECUTION);

/**
 * Stores the pool whose agents a run waits for, by the current settings of its workspace.
 * @param since start of the wait, milliseconds; absent if the run has waited before
 */
export async function setQueuePool(db: Queries, id: string, since?: number): Promise<void> {
  const from = since === undefined ? fragment`` : fragment`queued_since = ${since}, `;
  await select(
    db,
    fragment`update run set ${from}queue_pool = (select ${POOL} from ${FROM} where x.id = run.workspace_id)
      where id = ${id} returning id`,
  );
}

/**
 * Returns some waiting runs whose workspace now names another pool, or none.
 * @param further condition on `run`
 */
export async function misplacedRuns(db: Queries, further: Fragment): Promise<string[]> {
  const waiting = fragment`select id, workspace_id, queue_pool from run where queued = 1 and queue_class in (1, 2, 3)
    and ${further} order by queue_pool, queue_class, queue_turn, id limit ${MAX_COMPARED}`;
  const rows = await select(
    db,
    fragment<{ id: string }>`select r.id from (${waiting}) r, ${FROM}
      where x.id = r.workspace_id and (coalesce(r.queue_pool, '-') <> coalesce(${POOL}, '-') or ${IS_LOCAL})`,
  );
  return rows.map(({ id }) => id);
}
