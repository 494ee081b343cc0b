import { type Queries, sql } from '../../../storage/index.ts';
import type { Page, Slice } from '../../jsonapi/pagination.ts';
import { fragment, isOneOf, select, selectSlice } from '../../query/dynamic.ts';
import { NOT_DELETED } from '../../workspace/index.ts';
import type { EnforcementLevel, Stage, WorkspaceTask } from './run-task.ts';

interface Row extends Omit<WorkspaceTask, 'stages'> {
  readonly stages: string;
}

const COLUMNS = `x.id, x.workspace_id AS "workspaceId", x.task_id AS "taskId",
  x.enforcement_level AS "enforcementLevel", x.stages, x.created_at AS "createdAt"`;
// This join hides assignments of deleted workspaces, which return with a restore.
const FROM = `workspace_task x JOIN workspace w ON w.id = x.workspace_id AND ${NOT_DELETED}`;

const selectOne = sql<{ id: string; workspaceId: string }, Row>(
  `SELECT ${COLUMNS} FROM ${FROM} WHERE x.id = :id AND x.workspace_id = :workspaceId`,
);
const selectAll = sql<{ workspaceId: string }, Row>(
  `SELECT ${COLUMNS} FROM ${FROM} WHERE x.workspace_id = :workspaceId ORDER BY x.created_at, x.id`,
);
const countOf = sql<{ workspaceId: string }, { count: number }>(
  'SELECT count(*) AS count FROM workspace_task WHERE workspace_id = :workspaceId',
);
// The task must belong to the workspace's organization.
const insertOne = sql<Record<keyof Row, Row[keyof Row]>, { id: string }>(
  `INSERT INTO workspace_task (id, workspace_id, task_id, enforcement_level, stages, created_at)
   SELECT :id, w.id, t.id, :enforcementLevel, :stages, :createdAt
   FROM workspace w JOIN run_task t ON t.organization_id = w.organization_id
   WHERE w.id = :workspaceId AND t.id = :taskId AND ${NOT_DELETED} RETURNING id`,
);
const selectTaken = sql<{ workspaceId: string; taskId: string }, { id: string }>(
  'SELECT id FROM workspace_task WHERE workspace_id = :workspaceId AND task_id = :taskId',
);
const updateOne = sql<{ id: string; enforcementLevel: EnforcementLevel; stages: string }, { id: string }>(
  'UPDATE workspace_task SET enforcement_level = :enforcementLevel, stages = :stages WHERE id = :id RETURNING id',
);
const removeOne = sql<{ id: string }>('DELETE FROM workspace_task WHERE id = :id');

function ofRow(row: Row): WorkspaceTask {
  return { ...row, stages: JSON.parse(row.stages) as Stage[] };
}

/** Finds an assignment. Returns undefined if the workspace has no assignment with this ID. */
export async function findWorkspaceTask(
  db: Queries,
  workspaceId: string,
  id: string,
): Promise<WorkspaceTask | undefined> {
  const row = await db.one(selectOne, { id, workspaceId });
  return row && ofRow(row);
}

/** Lists assignments in order of creation. */
export async function listWorkspaceTasks(db: Queries, workspaceId: string, page: Page): Promise<Slice<WorkspaceTask>> {
  const where = [fragment`x.workspace_id = ${workspaceId}`];
  const { items, total } = await selectSlice<Row>(
    db,
    { columns: COLUMNS, from: FROM, where, orderBy: 'x.created_at, x.id' },
    page,
  );
  return { items: items.map(ofRow), total };
}

/** Lists all assignments of a workspace. */
export async function tasksOfWorkspace(db: Queries, workspaceId: string): Promise<WorkspaceTask[]> {
  return (await db.all(selectAll, { workspaceId })).map(ofRow);
}

/** Returns the first assignments of these tasks. */
export async function workspaceTasksOf(
  db: Queries,
  taskIds: readonly string[],
  most: number,
): Promise<WorkspaceTask[]> {
  const rows = await select(
    db,
    fragment<Row>`select ${fragment.raw(COLUMNS)} from ${fragment.raw(FROM)} where ${isOneOf('x.task_id', taskIds)}
      order by x.id limit ${most}`,
  );
  return rows.map(ofRow);
}

export async function countWorkspaceTasks(db: Queries, workspaceId: string): Promise<number> {
  return (await db.one(countOf, { workspaceId }))?.count ?? 0;
}

/** Returns whether the workspace already has the task. */
export async function isTaskAttached(db: Queries, workspaceId: string, taskId: string): Promise<boolean> {
  return (await db.one(selectTaken, { workspaceId, taskId })) !== undefined;
}

/**
 * Inserts an assignment. Returns false if workspace or task does not exist, or they belong to different organizations.
 */
export async function insertWorkspaceTask(db: Queries, { stages, ...task }: WorkspaceTask): Promise<boolean> {
  return (await db.one(insertOne, { ...task, stages: JSON.stringify(stages) })) !== undefined;
}

/** Updates an assignment. Returns false if it does not exist. */
export async function updateWorkspaceTask(
  db: Queries,
  { id, enforcementLevel, stages }: WorkspaceTask,
): Promise<boolean> {
  return (await db.one(updateOne, { id, enforcementLevel, stages: JSON.stringify(stages) })) !== undefined;
}

export function removeWorkspaceTask(db: Queries, id: string) {
  return db.run(removeOne, { id });
}
