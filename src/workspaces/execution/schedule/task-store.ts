import { type Queries, sql, type Transaction } from '../../../storage/index.ts';
import { fragment, isOneOf, select } from '../../query/dynamic.ts';
import { allOfRows, sqlOfRows } from '../../query/rows.ts';
import { turnsOf } from '../turn/turn-order.ts';
import { type Work, workInTurn } from '../turn/turns.ts';
import type { Schedule } from './schedule.ts';
import { COLUMNS, scheduleOf } from './store.ts';

/** @limit workspaces in which one sweep starts scheduled work, workspaces -> the next sweep starts the others */
const MAX_STARTS = 100;
/**
 * Scheduled runs and assessments of an organization that wait for an agent.
 * @limit scheduled runs and assessments of an organization that wait for an agent, runs -> further ones start later
 */
const MAX_WAITING_FOR_AGENT = 100;

/** An occurrence that is to start in a workspace. Times are milliseconds since 1970. */
export interface Task {
  readonly scheduleId: string;
  readonly workspaceId: string;
  readonly organizationId: string;
  readonly occurredAt: number;
  readonly dueAt: number;
}

const TASK = `schedule_id AS "scheduleId", workspace_id AS "workspaceId", organization_id AS "organizationId",
  occurred_at AS "occurredAt", due_at AS "dueAt"`;
/** Condition on `run`, in the words of the index. Classes: apply, plan, plan-only run, assessment. */
const WAITS_FOR_AGENT = `queued = 1 AND trigger_reason IN ('schedule', 'assessment') AND queue_class IN (1, 2, 3, 5)`;

const insertTask = sql<{ [Key in keyof Task]: Task[Key] }>(
  `INSERT INTO schedule_task (schedule_id, workspace_id, organization_id, occurred_at, due_at)
   VALUES (:scheduleId, :workspaceId, :organizationId, :occurredAt, :dueAt) ON CONFLICT DO NOTHING`,
);
const insertTasks = sqlOfRows<{ scheduleId: string; organizationId: string; occurredAt: number }, { id: string }>(
  (rows) => `INSERT INTO schedule_task (schedule_id, workspace_id, organization_id, occurred_at, due_at)
   SELECT :scheduleId, r.value ->> 'workspaceId', :organizationId, CAST(:occurredAt AS bigint),
     CAST(r.value ->> 'dueAt' AS bigint)
   FROM ${rows} r WHERE 1 = 1
   ON CONFLICT DO NOTHING RETURNING workspace_id AS id`,
);
const deleteDue = sql<{ scheduleId: string; workspaceId: string; now: number }, Task>(
  `DELETE FROM schedule_task WHERE schedule_id = :scheduleId AND workspace_id = :workspaceId AND due_at <= :now
   RETURNING ${TASK}`,
);
const deleteOfSchedule = sql<{ scheduleId: string }>('DELETE FROM schedule_task WHERE schedule_id = :scheduleId');
const deleteOne = sql<{ scheduleId: string; workspaceId: string }>(
  'DELETE FROM schedule_task WHERE schedule_id = :scheduleId AND workspace_id = :workspaceId',
);
const selectSchedule = sql<
  { scheduleId: string; workspaceId: string },
  Omit<Schedule, 'paused'> & { paused: number; isExcluded: number }
>(
  `SELECT ${COLUMNS}, CASE WHEN EXISTS (SELECT 1 FROM schedule_exclusion x
     WHERE x.schedule_id = s.id AND x.workspace_id = :workspaceId) THEN 1 ELSE 0 END AS "isExcluded"
   FROM schedule s WHERE s.id = :scheduleId`,
);

/** Adds a task again that was taken, unless there is a new one meanwhile. */
export function addTask(tx: Transaction, task: Task) {
  return tx.run(insertTask, { ...task });
}

/**
 * Adds the tasks of an occurrence. Returns the workspaces that get none, because an earlier occurrence has not started
 * there yet.
 */
export async function addTasks(
  tx: Transaction,
  { scheduleId, organizationId, occurredAt }: Pick<Task, 'scheduleId' | 'organizationId' | 'occurredAt'>,
  tasks: readonly Pick<Task, 'workspaceId' | 'dueAt'>[],
): Promise<string[]> {
  if (tasks.length === 0) return [];
  const rows = tasks.map(({ workspaceId, dueAt }) => ({ workspaceId, dueAt }));
  const added = await allOfRows(tx, insertTasks, rows, { scheduleId, organizationId, occurredAt });
  const known = new Set(added.map(({ id }) => id));
  return rows.map(({ workspaceId }) => workspaceId).filter((id) => !known.has(id));
}

/** Deletes a task that is due, and returns it; undefined if there is none. */
export function takeTask(tx: Transaction, scheduleId: string, workspaceId: string, now: number) {
  return tx.one(deleteDue, { scheduleId, workspaceId, now });
}

/** Deletes the tasks of a schedule, of which nothing shall start any more. */
export function clearSchedule(tx: Transaction, scheduleId: string) {
  return tx.run(deleteOfSchedule, { scheduleId });
}

/** Deletes the task of a schedule in one workspace. */
export function removeTask(tx: Transaction, scheduleId: string, workspaceId: string) {
  return tx.run(deleteOne, { scheduleId, workspaceId });
}

/** Returns the times at which occurrences start in a workspace that have not started there, by the id of the schedule. */
export async function startTimes(
  db: Queries,
  workspaceId: string,
  scheduleIds: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  if (scheduleIds.length === 0) return new Map();
  const rows = await select(
    db,
    fragment<{ id: string; dueAt: number }>`select schedule_id as id, due_at as "dueAt" from schedule_task
      where workspace_id = ${workspaceId} and ${isOneOf('schedule_id', scheduleIds)}`,
  );
  return new Map(rows.map(({ id, dueAt }) => [id, dueAt]));
}

/** Returns the number of workspaces in which the last occurrence of each schedule has not started, by its id. */
export async function waitingTasks(db: Queries, scheduleIds: readonly string[]): Promise<ReadonlyMap<string, number>> {
  if (scheduleIds.length === 0) return new Map();
  const rows = await select(
    db,
    fragment<{ id: string; count: number }>`select schedule_id as id, count(*) as count from schedule_task
      where ${isOneOf('schedule_id', scheduleIds)} group by schedule_id`,
  );
  return new Map(rows.map(({ id, count }) => [id, count]));
}

const WORK: Work = {
  turns: turnsOf('schedule_task', 'due_at'),
  columns: 'schedule_id as "scheduleId", workspace_id as "workspaceId"',
  orderBy: 'due_at, schedule_id, workspace_id',
  full: fullOrganizations,
};

/** Returns the organizations of which so many scheduled runs wait for an agent that no further one may start. */
async function fullOrganizations(db: Queries, ids: readonly string[]): Promise<ReadonlySet<string>> {
  const waiting = `select 1 from run where organization_id = o.id and ${WAITS_FOR_AGENT}`;
  const rows = await select(
    db,
    fragment<{ id: string }>`select o.id from organization o where ${isOneOf('o.id', ids)} and
      (select count(*) from (${fragment.raw(waiting)} limit ${MAX_WAITING_FOR_AGENT}) x) >= ${MAX_WAITING_FOR_AGENT}`,
  );
  return new Set(rows.map(({ id }) => id));
}

/**
 * Returns some tasks that are due, with the same share for each organization and its oldest first. Organizations with
 * many runs that wait for agents have none.
 */
export function dueTasks(db: Queries, now: number): Promise<Pick<Task, 'scheduleId' | 'workspaceId'>[]> {
  return workInTurn(db, WORK, now, MAX_STARTS);
}

/** Returns whether so many scheduled runs of an organization wait for an agent that no further one may start. */
export async function isFull(db: Queries, organizationId: string): Promise<boolean> {
  return (await fullOrganizations(db, [organizationId])).has(organizationId);
}

/** Returns the schedule of a task, if it is to act in the workspace; undefined otherwise. */
export async function actingSchedule(db: Queries, { scheduleId, workspaceId }: Task): Promise<Schedule | undefined> {
  const row = await db.one(selectSchedule, { scheduleId, workspaceId });
  if (row === undefined || row.isExcluded === 1 || row.paused === 1) return undefined;
  const { isExcluded: _, ...schedule } = row;
  return scheduleOf(schedule);
}
