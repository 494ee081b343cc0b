import { type Queries, sql } from '../../../storage/index.ts';
import { fragment, isOneOf, select } from '../../query/dynamic.ts';
import type { Stage } from '../run-task/run-task.ts';
import type { TaskStage } from './task-stage.ts';

interface Row extends Omit<TaskStage, 'timestamps'> {
  readonly timestamps: string;
}

const COLUMNS = `id, run_id AS "runId", stage, status, timestamps, created_at AS "createdAt", updated_at AS "updatedAt"`;

const insertStageStatement = sql<Record<keyof Row, Row[keyof Row]>>(
  `INSERT INTO task_stage (id, run_id, stage, status, timestamps, created_at, updated_at)
   VALUES (:id, :runId, :stage, :status, :timestamps, :createdAt, :updatedAt)`,
);
const selectById = sql<{ id: string }, Row>(`SELECT ${COLUMNS} FROM task_stage WHERE id = :id`);
const selectPending = sql<{ runId: string; stage: Stage }, Row>(
  `SELECT ${COLUMNS} FROM task_stage WHERE run_id = :runId AND stage = :stage AND status = 'pending'`,
);
const selectRunning = sql<{ runId: string }, { id: string }>(
  `SELECT id FROM task_stage WHERE run_id = :runId AND status = 'running' LIMIT 1`,
);
const updateStage = sql<{ id: string; status: string; timestamps: string; updatedAt: number }>(
  'UPDATE task_stage SET status = :status, timestamps = :timestamps, updated_at = :updatedAt WHERE id = :id',
);

function ofRow(row: Row): TaskStage {
  return { ...row, timestamps: JSON.parse(row.timestamps) as TaskStage['timestamps'] };
}

export function insertStage(db: Queries, { timestamps, ...stage }: TaskStage) {
  return db.run(insertStageStatement, { ...stage, timestamps: JSON.stringify(timestamps) });
}

/** Finds a stage. Returns undefined if there is none. */
export async function findStage(db: Queries, id: string): Promise<TaskStage | undefined> {
  const row = await db.one(selectById, { id });
  return row && ofRow(row);
}

/** Returns the run's pending stage of that kind; undefined if there is none. */
export async function pendingStage(db: Queries, runId: string, stage: Stage): Promise<TaskStage | undefined> {
  const row = await db.one(selectPending, { runId, stage });
  return row && ofRow(row);
}

/** Returns whether a stage of the run is in progress. */
export async function isStageRunning(db: Queries, runId: string): Promise<boolean> {
  return (await db.one(selectRunning, { runId })) !== undefined;
}

/** Returns the stages of these runs, in the order in which they happen. */
export async function stagesOfRuns(db: Queries, runIds: readonly string[]): Promise<TaskStage[]> {
  if (runIds.length === 0) return [];
  const rows = await select(
    db,
    fragment<Row>`select ${fragment.raw(COLUMNS)} from task_stage where ${isOneOf('run_id', runIds)}
      order by run_id, case stage when 'pre_plan' then 1 when 'post_plan' then 2 when 'pre_apply' then 3 else 4 end`,
  );
  return rows.map(ofRow);
}

/** Updates the status of a stage. */
export async function setStageStatus(
  db: Queries,
  stage: TaskStage,
  status: TaskStage['status'],
  now: number,
): Promise<TaskStage> {
  const next = { ...stage, status, timestamps: { ...stage.timestamps, [status]: now }, updatedAt: now };
  const { id, timestamps, updatedAt } = next;
  await db.run(updateStage, { id, status, timestamps: JSON.stringify(timestamps), updatedAt });
  return next;
}
