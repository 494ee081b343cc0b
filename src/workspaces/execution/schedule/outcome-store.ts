import { type Queries, sql, type Transaction } from '../../../storage/index.ts';
import type { Page, Slice } from '../../jsonapi/pagination.ts';
import { fragment, isOneOf, select, selectSlice } from '../../query/dynamic.ts';
import { allOfRows, sqlOfRows } from '../../query/rows.ts';
import { NOT_DELETED } from '../../workspace/index.ts';
import type { Outcome, Schedule, ShownOutcome } from './schedule.ts';

/** @limit outcomes of a workspace's schedule, outcomes -> the oldest are deleted */
const KEPT_OF_WORKSPACE = 30;
/** @limit outcomes of a project's schedule for each workspace, outcomes -> the oldest are deleted */
const KEPT_OF_PROJECT = 5;
/** Outcomes that one statement deletes: a project with many workspaces has thousands, and others must not wait. */
const REMOVED_TOGETHER = 500;

const COLUMNS = `h.id, h.schedule_id AS "scheduleId", h.workspace_id AS "workspaceId", h.status, h.reason,
  h.run_id AS "runId", h.occurred_at AS "occurredAt", h.created_at AS "createdAt", w.name AS "workspaceName",
  r.status AS "runStatus"`;
const FROM = `schedule_outcome h JOIN workspace w ON w.id = h.workspace_id AND ${NOT_DELETED}
  LEFT JOIN run r ON r.id = h.run_id`;

const insertOutcomes = sqlOfRows<{ scheduleId: string }>(
  (rows) => `INSERT INTO schedule_outcome
     (id, schedule_id, workspace_id, status, reason, run_id, occurred_at, created_at)
   SELECT r.value ->> 'id', :scheduleId, r.value ->> 'workspaceId', r.value ->> 'status', r.value ->> 'reason',
     r.value ->> 'runId', CAST(r.value ->> 'occurredAt' AS bigint), CAST(r.value ->> 'createdAt' AS bigint)
   FROM ${rows} r`,
);
const removeOld = sqlOfRows<{ scheduleId: string; keep: number }>(
  (rows) => `DELETE FROM schedule_outcome WHERE schedule_id = :scheduleId
     AND workspace_id IN (SELECT r.value ->> 'workspaceId' FROM ${rows} r)
     AND (SELECT count(*) FROM schedule_outcome n WHERE n.schedule_id = :scheduleId
       AND n.workspace_id = schedule_outcome.workspace_id AND n.id > schedule_outcome.id) >= :keep`,
);
const removeSome = sql<{ scheduleId: string; limit: number }>(
  `DELETE FROM schedule_outcome WHERE id IN
     (SELECT n.id FROM schedule_outcome n WHERE n.schedule_id = :scheduleId LIMIT :limit)`,
);
const selectUnfinished = sql<{ scheduleId: string; workspaceId: string }, { id: string; status: string }>(
  `SELECT r.id, r.status FROM schedule_outcome h JOIN run r ON r.id = h.run_id
   WHERE h.schedule_id = :scheduleId AND h.workspace_id = :workspaceId AND r.finished_at IS NULL LIMIT 1`,
);
const selectStatus = sql<{ id: string }, { status: string }>('SELECT status FROM run WHERE id = :id');

/** Stores outcomes of a schedule, and deletes the oldest ones in their workspaces. */
export async function addOutcomes(
  tx: Transaction,
  { id: scheduleId, projectId }: Pick<Schedule, 'id' | 'projectId'>,
  outcomes: readonly Omit<Outcome, 'scheduleId'>[],
): Promise<void> {
  if (outcomes.length === 0) return;
  const rows = outcomes.map((outcome) => ({ ...outcome }));
  await allOfRows(tx, insertOutcomes, rows, { scheduleId });
  const keep = projectId === null ? KEPT_OF_WORKSPACE : KEPT_OF_PROJECT;
  await allOfRows(tx, removeOld, rows, { scheduleId, keep });
}

/** Deletes some outcomes of a schedule. Returns whether others may be left. */
export async function removeOutcomes(db: Queries, scheduleId: string): Promise<boolean> {
  return (await db.run(removeSome, { scheduleId, limit: REMOVED_TOGETHER })) === REMOVED_TOGETHER;
}

/** Returns a run of the schedule in the workspace that is not over; undefined if there is none. */
export function unfinishedRun(tx: Transaction, scheduleId: string, workspaceId: string) {
  return tx.one(selectUnfinished, { scheduleId, workspaceId });
}

/** Returns the status of a run that is not deleted. */
export async function statusOfRun(tx: Transaction, id: string): Promise<string> {
  return (await tx.one(selectStatus, { id }))?.status ?? 'deleted';
}

/** Lists the outcomes of a schedule, newest first: in all workspaces, or in one. */
export function listOutcomes(
  db: Queries,
  scheduleId: string,
  workspaceId: string | undefined,
  page: Page,
): Promise<Slice<ShownOutcome>> {
  const inOne = workspaceId === undefined ? [] : [fragment`h.workspace_id = ${workspaceId}`];
  const where = [fragment`h.schedule_id = ${scheduleId}`, ...inOne];
  return selectSlice<ShownOutcome>(db, { columns: COLUMNS, from: FROM, where, orderBy: 'h.id DESC' }, page);
}

/** Returns the last outcome of each schedule in one workspace, by the id of the schedule. */
export async function lastOutcomes(
  db: Queries,
  workspaceId: string,
  scheduleIds: readonly string[],
): Promise<ReadonlyMap<string, ShownOutcome>> {
  if (scheduleIds.length === 0) return new Map();
  const rows = await select(
    db,
    fragment<ShownOutcome>`select ${fragment.raw(COLUMNS)} from ${fragment.raw(FROM)} where h.id in
      (select max(n.id) from schedule_outcome n
       where n.workspace_id = ${workspaceId} and ${isOneOf('n.schedule_id', scheduleIds)} group by n.schedule_id)`,
  );
  return new Map(rows.map((row) => [row.scheduleId, row]));
}
