import { type Queries, sql, type Transaction } from '../../../storage/index.ts';
import { NOT_DELETED } from '../../workspace/index.ts';
import { isNotPostponed, notPostponed } from '../job/postponed-work.ts';
import { turnsOf } from '../turn/turn-order.ts';
import { type Work, workInTurn } from '../turn/turns.ts';
import type { Schedule, ScheduleSettings } from './schedule.ts';

type Row = Omit<Schedule, 'paused'> & { readonly paused: number };

/** Columns of `schedule`. */
export const COLUMNS = `id, organization_id AS "organizationId", workspace_id AS "workspaceId",
  project_id AS "projectId", name, operation, cron, time_zone AS "timeZone", jitter,
  when_busy AS "whenBusy", paused, next_at AS "nextAt", distributed_to AS "distributedTo",
  occurred_at AS "occurredAt", fired_at AS "firedAt", created_at AS "createdAt"`;

/** @limit schedules that one sweep distributes to workspaces, schedules -> the next sweep distributes the others */
const MAX_DUE = 100;
/** A clock that is put back by less than this repeats nothing, milliseconds. */
export const CLOCK_TOLERANCE = 3_600_000;

const selectById = sql<{ id: string }, Row>(`SELECT ${COLUMNS} FROM schedule WHERE id = :id`);
// Locks the row, because the next step depends on its values.
const claimById = sql<{ id: string }, Row>(`UPDATE schedule SET name = name WHERE id = :id RETURNING ${COLUMNS}`);
const countOfWorkspace = sql<{ id: string }, { count: number }>(
  'SELECT count(*) AS count FROM schedule WHERE workspace_id = :id',
);
const countOfProject = sql<{ id: string }, { count: number }>(
  'SELECT count(*) AS count FROM schedule WHERE project_id = :id',
);

type Settings = Omit<ScheduleSettings, 'paused'> & { paused: number };
type Progress = Pick<Schedule, 'nextAt' | 'distributedTo' | 'occurredAt' | 'firedAt'>;
type Inserted = Settings &
  Pick<Schedule, 'id' | 'organizationId' | 'workspaceId' | 'projectId' | 'nextAt' | 'createdAt'>;

const insertOne = sql<Inserted, { id: string }>(
  `INSERT INTO schedule (id, organization_id, workspace_id, project_id, name, operation, cron, time_zone, jitter,
     when_busy, paused, next_at, distributed_to, created_at)
   VALUES (:id, :organizationId, :workspaceId, :projectId, :name, :operation, :cron, :timeZone, :jitter,
     :whenBusy, :paused, :nextAt, '', :createdAt)
   ON CONFLICT DO NOTHING RETURNING id`,
);
const updateSettings = sql<Settings & { id: string }>(
  `UPDATE schedule SET name = :name, operation = :operation, cron = :cron, time_zone = :timeZone, jitter = :jitter,
     when_busy = :whenBusy, paused = :paused
   WHERE id = :id`,
);
const updateProgress = sql<Progress & { id: string }>(
  `UPDATE schedule SET next_at = :nextAt, distributed_to = :distributedTo, occurred_at = :occurredAt,
     fired_at = :firedAt
   WHERE id = :id`,
);
const removeOne = sql<{ id: string }>('DELETE FROM schedule WHERE id = :id');
const selectAhead = sql<{ latest: number; now: number; limit: number }, { id: string }>(
  `SELECT id FROM schedule WHERE fired_at > :latest AND next_at IS NOT NULL AND ${notPostponed('schedule', 'schedule')}
   ORDER BY fired_at, id LIMIT :limit`,
);
// The names of deleted workspaces start with a tilde.
const selectNextWorkspaces = sql<
  { projectId: string; scheduleId: string; after: string; limit: number },
  { id: string; isExcluded: number }
>(
  `SELECT w.id, CASE WHEN x.workspace_id IS NULL THEN 0 ELSE 1 END AS "isExcluded"
   FROM workspace w LEFT JOIN schedule_exclusion x ON x.schedule_id = :scheduleId AND x.workspace_id = w.id
   WHERE w.project_id = :projectId AND w.id > :after AND ${NOT_DELETED} ORDER BY w.id LIMIT :limit`,
);
const insertExclusion = sql<{ scheduleId: string; workspaceId: string }>(
  `INSERT INTO schedule_exclusion (schedule_id, workspace_id) VALUES (:scheduleId, :workspaceId)
   ON CONFLICT DO NOTHING`,
);
const removeExclusion = sql<{ scheduleId: string; workspaceId: string }>(
  'DELETE FROM schedule_exclusion WHERE schedule_id = :scheduleId AND workspace_id = :workspaceId',
);

/** Converts a row of COLUMNS. */
export function scheduleOf<R extends { readonly paused: number }>({ paused, ...row }: R) {
  return { ...row, paused: paused === 1 };
}

const settingsOf = ({ name, operation, cron, timeZone, jitter, whenBusy, paused }: ScheduleSettings): Settings => {
  return { name, operation, cron, timeZone, jitter, whenBusy, paused: Number(paused) };
};

/** Finds a schedule. Returns undefined if there is none. */
export async function findSchedule(db: Queries, id: string): Promise<Schedule | undefined> {
  const row = await db.one(selectById, { id });
  return row && scheduleOf(row);
}

/** Finds a schedule and locks it until the transaction ends. Returns undefined if there is none. */
export async function claimSchedule(tx: Transaction, id: string): Promise<Schedule | undefined> {
  const row = await tx.one(claimById, { id });
  return row && scheduleOf(row);
}

/** Returns the number of schedules of a workspace or a project. */
export async function countSchedules(
  db: Queries,
  { workspaceId, projectId }: Pick<Schedule, 'workspaceId' | 'projectId'>,
): Promise<number> {
  const counted =
    workspaceId === null
      ? await db.one(countOfProject, { id: projectId ?? '' })
      : await db.one(countOfWorkspace, { id: workspaceId });
  return counted?.count ?? 0;
}

/** Inserts a schedule. Returns undefined if the owner has one with this name. */
export function insertSchedule(tx: Transaction, schedule: Omit<Inserted, 'paused'> & { readonly paused: boolean }) {
  const { id, organizationId, workspaceId, projectId, nextAt, createdAt } = schedule;
  return tx.one(insertOne, { id, organizationId, workspaceId, projectId, nextAt, createdAt, ...settingsOf(schedule) });
}

/** Stores the settings. Call `claimSchedule` first. */
export function setSettings(tx: Transaction, id: string, settings: ScheduleSettings) {
  return tx.run(updateSettings, { id, ...settingsOf(settings) });
}

/** Stores the progress. Call `claimSchedule` first. */
export function setProgress(tx: Transaction, id: string, progress: Progress) {
  const { nextAt, distributedTo, occurredAt, firedAt } = progress;
  return tx.run(updateProgress, { id, nextAt, distributedTo, occurredAt, firedAt });
}

export function removeSchedule(tx: Transaction, id: string) {
  return tx.run(removeOne, { id });
}

/** A schedule whose time has come. */
export interface DueSchedule {
  readonly id: string;
  readonly isOfProject: number;
}

const WORK: Work = {
  turns: turnsOf('schedule', 'next_at'),
  columns: 'id, case when project_id is null then 0 else 1 end as "isOfProject"',
  orderBy: 'next_at, id',
  where: (now) => isNotPostponed('schedule', now, 'schedule'),
};

/**
 * Returns some schedules whose time has come, with the same share for each organization and its oldest first; and some
 * that ran when the clock was far ahead of now.
 */
export async function dueSchedules(db: Queries, now: number): Promise<DueSchedule[]> {
  const due = await workInTurn<DueSchedule>(db, WORK, now, MAX_DUE);
  const ahead = await db.all(selectAhead, { latest: now + CLOCK_TOLERANCE, now, limit: MAX_DUE });
  const known = new Set(due.map(({ id }) => id));
  return [...due, ...ahead.filter(({ id }) => !known.has(id)).map(({ id }) => ({ id, isOfProject: 0 }))];
}

/** Returns the next workspaces of a project after one, in the order of their ids, excluded ones as well. */
export async function nextWorkspaces(
  db: Queries,
  { id: scheduleId, projectId, distributedTo }: Pick<Schedule, 'id' | 'projectId' | 'distributedTo'>,
  limit: number,
): Promise<{ id: string; isExcluded: boolean }[]> {
  const rows = await db.all(selectNextWorkspaces, {
    ...{ projectId: projectId ?? '', scheduleId, after: distributedTo, limit },
  });
  return rows.map(({ id, isExcluded }) => ({ id, isExcluded: isExcluded === 1 }));
}

export function exclude(tx: Transaction, scheduleId: string, workspaceId: string) {
  return tx.run(insertExclusion, { scheduleId, workspaceId });
}

export function include(tx: Transaction, scheduleId: string, workspaceId: string) {
  return tx.run(removeExclusion, { scheduleId, workspaceId });
}
