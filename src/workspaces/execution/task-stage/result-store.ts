import { type Keyring, type Queries, type SealedColumn, sql } from '../../../storage/index.ts';
import { targetOf, UNCLAIMED } from '../../delivery/index.ts';
import { fragment, isOneOf, select } from '../../query/dynamic.ts';
import type { TaskActor } from '../../tenancy/index.ts';
import type { TaskResult } from './task-stage.ts';

interface Row extends Omit<TaskResult, 'timestamps' | 'taskUrl'> {
  readonly timestamps: string;
  readonly taskUrl: Uint8Array;
}

const COLUMNS = `id, stage_id AS "stageId", organization_id AS "organizationId", task_id AS "taskId",
  task_name AS "taskName", task_url AS "taskUrl", workspace_task_id AS "workspaceTaskId",
  enforcement_level AS "enforcementLevel", status, message, url, timestamps, began_at AS "beganAt",
  created_at AS "createdAt", updated_at AS "updatedAt"`;

const insertResult = sql<Record<keyof Row, Row[keyof Row]> & { target: string; place: number }>(
  `INSERT INTO task_result (id, stage_id, place, organization_id, task_id, task_name, task_url, workspace_task_id,
     enforcement_level, status, message, url, timestamps, target, tries, due_at, claim, claimed_until, began_at,
     created_at, updated_at)
   VALUES (:id, :stageId, :place, :organizationId, :taskId, :taskName, :taskUrl, :workspaceTaskId, :enforcementLevel, :status,
     :message, :url, :timestamps, :target, 0, NULL, NULL, 0, :beganAt, :createdAt, :updatedAt)`,
);
const selectById = sql<{ id: string }, Row>(`SELECT ${COLUMNS} FROM task_result WHERE id = :id`);
const selectSubject = sql<{ id: string }, Pick<TaskActor, 'runId' | 'workspaceId' | 'configurationVersionId'>>(
  `SELECT r.id AS "runId", r.workspace_id AS "workspaceId", r.configuration_version_id AS "configurationVersionId" FROM task_result t
   JOIN task_stage s ON s.id = t.stage_id JOIN run r ON r.id = s.run_id WHERE t.id = :id`,
);
const beginResults = sql<{ stageId: string; now: number }>(
  `UPDATE task_result SET began_at = :now, due_at = :now WHERE stage_id = :stageId AND status = 'pending'`,
);
const closeResults = sql<{ stageId: string; now: number }>(
  `UPDATE task_result SET status = 'unreachable', due_at = NULL, ${UNCLAIMED}, updated_at = :now
   WHERE stage_id = :stageId AND status IN ('pending', 'running')`,
);
const updateResult = sql<{
  id: string;
  status: string;
  message: string;
  url: string;
  timestamps: string;
  dueAt: number | null;
  updatedAt: number;
}>(
  `UPDATE task_result SET status = :status, message = :message, url = :url, timestamps = :timestamps, due_at = :dueAt,
     ${UNCLAIMED}, updated_at = :updatedAt WHERE id = :id`,
);

const contextOf = (id: string) => `task-result-url/${id}`;

export const sealedResults: SealedColumn = {
  table: 'task_result',
  key: ['id'],
  column: 'task_url',
  boundTo: [],
  contextOf,
};

/** Stores the results of run tasks. */
export class ResultStore {
  readonly #keyring: Keyring;

  constructor(keyring: Keyring) {
    this.#keyring = keyring;
  }

  /**
   * Inserts a result.
   * @param place position within its stage
   */
  insert(db: Queries, { timestamps, taskUrl, ...result }: TaskResult, place: number) {
    const sealed = this.#keyring.encrypt(Buffer.from(taskUrl), contextOf(result.id));
    const stored = { ...result, timestamps: JSON.stringify(timestamps), taskUrl: sealed };
    return db.run(insertResult, { ...stored, target: targetOf(taskUrl), place });
  }

  /** Finds a result. Returns undefined if there is none. */
  async byId(db: Queries, id: string): Promise<TaskResult | undefined> {
    const row = await db.one(selectById, { id });
    return row && this.#ofRow(row);
  }

  /** Returns the run that the task evaluates. */
  subject(db: Queries, id: string) {
    return db.one(selectSubject, { id });
  }

  /** Returns the results of these stages, in the order of their tasks. */
  async ofStages(db: Queries, stageIds: readonly string[]): Promise<TaskResult[]> {
    if (stageIds.length === 0) return [];
    const rows = await select(
      db,
      fragment<Row>`select ${fragment.raw(COLUMNS)} from task_result where ${isOneOf('stage_id', stageIds)}
        order by stage_id, place`,
    );
    return rows.map((row) => this.#ofRow(row));
  }

  /** Marks the pending results of a stage as due to be requested. */
  begin(db: Queries, stageId: string, now: number) {
    return db.run(beginResults, { stageId, now });
  }

  /** Marks results that are not final as unreachable, so that no more requests are sent or reports awaited. */
  close(db: Queries, stageId: string, now: number) {
    return db.run(closeResults, { stageId, now });
  }

  /**
   * Updates a result and releases the claim of the node that sends its request.
   * @param dueAt deadline of the next report; null if the result is final
   */
  update(db: Queries, { id, status, message, url, timestamps, updatedAt }: TaskResult, dueAt: number | null) {
    return db.run(updateResult, { id, status, message, url, timestamps: JSON.stringify(timestamps), dueAt, updatedAt });
  }

  #ofRow({ taskUrl, timestamps, ...row }: Row): TaskResult {
    return {
      ...row,
      timestamps: JSON.parse(timestamps) as TaskResult['timestamps'],
      taskUrl: Buffer.from(this.#keyring.decrypt(taskUrl, contextOf(row.id))).toString(),
    };
  }
}
