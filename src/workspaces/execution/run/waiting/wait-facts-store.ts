import type { Queries } from '../../../../storage/index.ts';
import { fragment, isOneOf, select } from '../../../query/dynamic.ts';
import type { RunStatus } from '../../lifecycle/status.ts';

/** Obstacles for a run that waits for its workspace. */
export interface WaitFacts {
  /** The run that holds the workspace. */
  readonly active: { readonly id: string; readonly status: RunStatus; readonly operation: string } | null;
  /** Lock of the workspace. Times are milliseconds since 1970. */
  readonly lock: {
    readonly type: string;
    readonly id: string;
    readonly name: string;
    readonly reason: string;
    readonly at: number;
  } | null;
  /** The first of the earlier runs that wait for the workspace too. */
  readonly first: string | null;
}

interface Row {
  readonly id: string;
  readonly activeId: string | null;
  readonly activeStatus: RunStatus | null;
  readonly activeOperation: string | null;
  readonly holderType: string | null;
  readonly holderId: string | null;
  readonly holderName: string | null;
  readonly reason: string | null;
  readonly lockedAt: number | null;
  readonly first: string | null;
}

/** Returns the obstacles by run id. */
export async function readWaitFacts(db: Queries, runIds: readonly string[]): Promise<ReadonlyMap<string, WaitFacts>> {
  if (runIds.length === 0) return new Map();
  const rows = await select(
    db,
    fragment<Row>`select r.id, a.id as "activeId", a.status as "activeStatus", a.operation as "activeOperation",
        w.lock_holder_type as "holderType", w.lock_holder_id as "holderId", w.lock_holder_name as "holderName",
        w.lock_reason as reason, w.locked_at as "lockedAt",
        (select f.id from run f where f.workspace_id = r.workspace_id and f.waits = 1
           and (f.created_at, f.id) < (r.created_at, r.id) order by f.created_at, f.id limit 1) as first
      from run r join workspace w on w.id = r.workspace_id
      left join run a on a.workspace_id = r.workspace_id and a.active = 1
      where ${isOneOf('r.id', runIds)} and r.waits = 1`,
  );
  return new Map(rows.map((row) => [row.id, turnOf(row)]));
}

function turnOf({
  activeId,
  activeStatus,
  activeOperation,
  holderType,
  holderId,
  lockedAt,
  first,
  ...row
}: Row): WaitFacts {
  const active = activeId === null || activeStatus === null ? null : { id: activeId, status: activeStatus };
  return {
    active: active && { ...active, operation: activeOperation ?? '' },
    lock:
      holderId === null
        ? null
        : {
            ...{ type: holderType ?? '', id: holderId, name: row.holderName ?? '' },
            ...{ reason: row.reason ?? '', at: lockedAt ?? 0 },
          },
    first,
  };
}

/** Returns the names of the run tasks that have not reported a result yet, by run id. */
export async function openTasksOf(
  db: Queries,
  runIds: readonly string[],
): Promise<ReadonlyMap<string, readonly string[]>> {
  if (runIds.length === 0) return new Map();
  const rows = await select(
    db,
    fragment<{ runId: string; name: string }>`select s.run_id as "runId", t.task_name as name
      from task_stage s join task_result t on t.stage_id = s.id
      where ${isOneOf('s.run_id', runIds)} and s.status = 'running' and t.status in ('pending', 'running')
      order by t.place`,
  );
  const byRun = Map.groupBy(rows, ({ runId }) => runId);
  return new Map([...byRun].map(([runId, open]) => [runId, open.map(({ name }) => name)]));
}
