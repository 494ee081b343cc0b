import { type Queries, sql, type Transaction } from '../../../storage/index.ts';
import { fragment, isOneOf, select } from '../../query/dynamic.ts';
import { turnsOf } from '../turn/turn-order.ts';
import { type Work, workInTurn } from '../turn/turns.ts';

/** @limit unfinished automatic destroy runs of an organization, runs -> further ones start when these are over */
export const MAX_UNFINISHED = 100;

/**
 * State of a workspace in the schedule.
 * found: has a setting from before the schedule, or was restored; waiting: its time is to come; running: has a destroy
 * run; blocked: the run could not start; failed: the run failed; stopped: a user has to act; over: everything is
 * destroyed, and the period counts from the next activity.
 */
export type PlanState = 'found' | 'waiting' | 'running' | 'blocked' | 'failed' | 'stopped' | 'over';

/** A row of the schedule. Times are milliseconds since 1970. */
export interface PlanRow {
  readonly workspaceId: string;
  readonly organizationId: string;
  readonly kind: 'at' | 'idle';
  readonly state: PlanState;
  /** Time of the destroy run; null if it is not known. */
  readonly dueAt: number | null;
  /** Time at which the server looks at the workspace again; null if an event has to come first. */
  readonly nextAt: number | null;
  /** Number of reminders that are over, sent or not. */
  readonly reminded: number;
  /** Failed attempts to destroy. */
  readonly attempts: number;
  readonly runId: string | null;
}

const COLUMNS = `workspace_id AS "workspaceId", organization_id AS "organizationId", kind, state, due_at AS "dueAt",
  next_at AS "nextAt", reminded, attempts, run_id AS "runId"`;

const selectRow = sql<{ workspaceId: string }, PlanRow>(
  `SELECT ${COLUMNS} FROM auto_destroy WHERE workspace_id = :workspaceId`,
);
const putRow = sql<PlanRow & Record<string, string | number | null>>(
  `INSERT INTO auto_destroy (workspace_id, organization_id, kind, state, due_at, next_at, reminded, attempts, run_id)
   VALUES (:workspaceId, :organizationId, :kind, :state, :dueAt, :nextAt, :reminded, :attempts, :runId)
   ON CONFLICT (workspace_id) DO UPDATE SET kind = :kind, state = :state, due_at = :dueAt, next_at = :nextAt,
     reminded = :reminded, attempts = :attempts, run_id = :runId`,
);
const removeRow = sql<{ workspaceId: string }>('DELETE FROM auto_destroy WHERE workspace_id = :workspaceId');
const wake = sql<{ workspaceId: string; now: number }>(
  `UPDATE auto_destroy SET next_at = :now WHERE workspace_id = :workspaceId AND state = 'blocked'`,
);
const selectConcerned = sql<{ workspaceId: string }, { id: string }>(
  `SELECT w.id FROM workspace w JOIN project j ON j.id = w.project_id
   WHERE w.id = :workspaceId AND (j.auto_destroy_activity_duration IS NOT NULL
     OR EXISTS (SELECT 1 FROM auto_destroy a WHERE a.workspace_id = w.id))`,
);
const selectServed = sql<{ organizationId: string }, { id: string }>(
  'SELECT id FROM organization WHERE id = :organizationId AND deleted_at IS NULL',
);

const WORK: Work = {
  turns: turnsOf('auto_destroy', 'next_at'),
  columns: 'workspace_id as id',
  orderBy: 'next_at, due_at',
  full: fullOrganizations,
  // In the words of the index: reminders and results, which start no run.
  whenFull: `state = 'running' OR due_at IS NULL OR next_at < due_at`,
};

/**
 * Returns some workspaces that the server has to look at now, with the same share for each organization and the
 * earliest time of each first. Organizations with many unfinished runs have only those that start no run.
 */
export async function duePlans(db: Queries, now: number, limit: number): Promise<string[]> {
  return (await workInTurn<{ id: string }>(db, WORK, now, limit)).map(({ id }) => id);
}

/** Returns the organizations of these that have as many unfinished automatic destroy runs as they may have. */
export async function fullOrganizations(db: Queries, ids: readonly string[]): Promise<ReadonlySet<string>> {
  const rows = await select(
    db,
    fragment<{ id: string }>`select o.id from organization o where ${isOneOf('o.id', ids)} and
      (select count(*) from (select 1 from auto_destroy where organization_id = o.id and state = 'running'
        limit ${MAX_UNFINISHED}) x) >= ${MAX_UNFINISHED}`,
  );
  return new Set(rows.map(({ id }) => id));
}

/** Returns the row of a workspace; undefined if it has no setting. */
export function findPlan(db: Queries, workspaceId: string): Promise<PlanRow | undefined> {
  return db.one(selectRow, { workspaceId });
}

/** Inserts or replaces the row of a workspace. */
export function putPlan(tx: Transaction, row: PlanRow) {
  return tx.run(putRow, { ...row });
}

export function removePlan(tx: Transaction, workspaceId: string) {
  return tx.run(removeRow, { workspaceId });
}

/** Makes a run that could not start due, because a setting that may have prevented it has changed. */
export function wakeBlocked(tx: Transaction, workspaceId: string, now: number) {
  return tx.run(wake, { workspaceId, now });
}

/** Returns whether the workspace is in the schedule, or its project has a setting. */
export async function isConcerned(db: Queries, workspaceId: string): Promise<boolean> {
  return (await db.one(selectConcerned, { workspaceId })) !== undefined;
}

/** Returns whether the organization exists and is not being deleted. */
export async function isServed(db: Queries, organizationId: string): Promise<boolean> {
  return (await db.one(selectServed, { organizationId })) !== undefined;
}
