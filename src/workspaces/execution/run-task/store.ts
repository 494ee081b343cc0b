import { type Queries, sql } from '../../../storage/index.ts';
import { targetOf } from '../../delivery/index.ts';
import type { Page, Slice } from '../../jsonapi/pagination.ts';
import { fragment, selectSlice } from '../../query/dynamic.ts';
import type { EnforcementLevel, RunTask, Stage } from './run-task.ts';
import type { TaskSealing } from './sealing.ts';

/** Row of the selected columns of a run task. */
export interface TaskRow {
  readonly id: string;
  readonly organizationId: string;
  readonly organizationName: string;
  readonly name: string;
  readonly description: string;
  readonly url: Uint8Array;
  readonly hmacKey: Uint8Array | null;
  readonly enabled: number;
  readonly globalEnabled: number;
  readonly globalStages: string;
  readonly globalEnforcement: EnforcementLevel;
  readonly origin: string;
  readonly version: number;
  readonly createdAt: number;
  readonly updatedAt: number;
}

const COLUMNS = `t.id, t.organization_id AS "organizationId", o.name AS "organizationName", t.name, t.description, t.url,
  t.hmac_key AS "hmacKey", t.enabled, t.global_enabled AS "globalEnabled", t.global_stages AS "globalStages",
  t.global_enforcement AS "globalEnforcement", t.origin, t.version, t.created_at AS "createdAt",
  t.updated_at AS "updatedAt"`;
const FROM = 'run_task t JOIN organization o ON o.id = t.organization_id AND o.deleted_at IS NULL';

const selectById = sql<{ id: string }, TaskRow>(`SELECT ${COLUMNS} FROM ${FROM} WHERE t.id = :id`);
const selectForWorkspace = sql<{ organizationId: string; workspaceId: string }, TaskRow>(
  `SELECT ${COLUMNS} FROM ${FROM} WHERE t.organization_id = :organizationId AND t.enabled = 1
     AND (t.global_enabled = 1
       OR EXISTS (SELECT 1 FROM workspace_task x WHERE x.task_id = t.id AND x.workspace_id = :workspaceId))
   ORDER BY t.created_at, t.id`,
);
const countOf = sql<{ organizationId: string }, { count: number; global: number | null }>(
  `SELECT count(*) AS count, sum(global_enabled) AS global FROM run_task WHERE organization_id = :organizationId`,
);
const insertTask = sql<Record<keyof Stored, Stored[keyof Stored]>>(
  `INSERT INTO run_task (id, organization_id, name, description, url, hmac_key, enabled, global_enabled, global_stages,
     global_enforcement, target, origin, version, created_at, updated_at)
   VALUES (:id, :organizationId, :name, :description, :url, :hmacKey, :enabled, :globalEnabled, :globalStages,
     :globalEnforcement, :target, :origin, :version, :createdAt, :updatedAt)`,
);
const updateTask = sql<Record<keyof Changed, Changed[keyof Changed]>, { id: string }>(
  `UPDATE run_task SET name = :name, description = :description, url = :url, hmac_key = :hmacKey, enabled = :enabled,
     global_enabled = :globalEnabled, global_stages = :globalStages, global_enforcement = :globalEnforcement,
     target = :target, origin = :origin, version = version + 1, updated_at = :updatedAt
   WHERE id = :id AND version = :version RETURNING id`,
);
const removeTask = sql<{ id: string }>('DELETE FROM run_task WHERE id = :id');

type Stored = Omit<TaskRow, 'organizationName'> & { readonly target: string };
type Changed = Omit<Stored, 'organizationId' | 'createdAt'>;

/** Converts a row to the domain object. */
export function taskOf(row: TaskRow, sealing: TaskSealing): RunTask {
  const { url, hmacKey, globalEnabled, globalStages, globalEnforcement, ...rest } = row;
  return {
    ...rest,
    enabled: row.enabled === 1,
    global: {
      enabled: globalEnabled === 1,
      stages: JSON.parse(globalStages) as Stage[],
      enforcementLevel: globalEnforcement,
    },
    url: sealing.open('url', row.id, url),
    hmacKey: hmacKey === null ? null : sealing.open('hmac_key', row.id, hmacKey),
  };
}

function changed({ id, url, hmacKey, global, enabled, ...task }: RunTask, sealing: TaskSealing): Changed {
  return {
    id,
    name: task.name,
    description: task.description,
    url: sealing.seal('url', id, url),
    hmacKey: hmacKey === null ? null : sealing.seal('hmac_key', id, hmacKey),
    enabled: Number(enabled),
    globalEnabled: Number(global.enabled),
    globalStages: JSON.stringify(global.stages),
    globalEnforcement: global.enforcementLevel,
    target: targetOf(url),
    origin: task.origin,
    version: task.version,
    updatedAt: task.updatedAt,
  };
}

/** Finds a run task. Returns undefined if it does not exist. */
export function findRunTask(db: Queries, id: string) {
  return db.one(selectById, { id });
}

/** Lists tasks in order of creation. */
export function listRunTasks(db: Queries, organizationId: string, page: Page): Promise<Slice<TaskRow>> {
  const where = [fragment`t.organization_id = ${organizationId}`];
  return selectSlice<TaskRow>(db, { columns: COLUMNS, from: FROM, where, orderBy: 't.created_at, t.id' }, page);
}

/** Lists tasks that are enabled for a workspace or its whole organization. */
export function runTasksForWorkspace(db: Queries, organizationId: string, workspaceId: string): Promise<TaskRow[]> {
  return db.all(selectForWorkspace, { organizationId, workspaceId });
}

/** Counts the tasks of an organization, and those that run in all of its workspaces. */
export async function countRunTasks(db: Queries, organizationId: string): Promise<{ all: number; global: number }> {
  const row = await db.one(countOf, { organizationId });
  return { all: row?.count ?? 0, global: Number(row?.global ?? 0) };
}

export function insertRunTask(db: Queries, task: RunTask, sealing: TaskSealing) {
  const { organizationId, createdAt } = task;
  return db.run(insertTask, { ...changed(task, sealing), organizationId, createdAt });
}

/** Updates a run task. Returns false if it does not exist or was changed since `version`. */
export async function updateRunTask(db: Queries, task: RunTask, sealing: TaskSealing): Promise<boolean> {
  return (await db.one(updateTask, changed(task, sealing))) !== undefined;
}

/** Deletes a task and its assignments. Results of runs stay. */
export function removeRunTask(db: Queries, id: string) {
  return db.run(removeTask, { id });
}
