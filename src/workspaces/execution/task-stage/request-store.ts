import { type Queries, sql } from '../../../storage/index.ts';
import { RowOutbox } from '../../delivery/index.ts';
import type { EnforcementLevel, Stage } from '../run-task/run-task.ts';
import type { ResultStatus } from './task-stage.ts';

/** A claimed result. */
export interface ClaimedRequest {
  readonly id: string;
  readonly taskId: string;
  readonly status: ResultStatus;
  readonly beganAt: number;
}

/** Fields of a request. */
export interface RequestRow {
  readonly resultId: string;
  readonly enforcementLevel: EnforcementLevel;
  readonly stage: Stage;
  readonly runId: string;
  readonly runMessage: string;
  readonly runCreatedAt: number;
  readonly createdByType: string;
  readonly createdById: string;
  readonly createdByName: string;
  readonly operation: string;
  readonly configurationVersionId: string;
  readonly planId: string;
  readonly workspaceId: string;
  readonly workspaceName: string;
  /** Settings of the workspace, as JSON. */
  readonly settings: string;
  readonly organizationName: string;
}

/** Results whose request is to be sent, or whose service is late. */
export const requests = new RowOutbox<ClaimedRequest>({
  table: 'task_result',
  columns: 'id, task_id AS "taskId", status, began_at AS "beganAt"',
  failures: 'tries',
});

const selectRequest = sql<{ id: string }, RequestRow>(
  `SELECT x.id AS "resultId", x.enforcement_level AS "enforcementLevel", s.stage, r.id AS "runId",
     r.message AS "runMessage", r.created_at AS "runCreatedAt", r.created_by_type AS "createdByType",
     r.created_by_id AS "createdById", r.created_by_name AS "createdByName", r.operation, r.configuration_version_id AS "configurationVersionId",
     p.id AS "planId", w.id AS "workspaceId", w.name AS "workspaceName", w.settings, o.name AS "organizationName"
   FROM task_result x JOIN task_stage s ON s.id = x.stage_id JOIN run r ON r.id = s.run_id
     JOIN run_phase p ON p.run_id = r.id AND p.kind = 'plan' JOIN workspace w ON w.id = r.workspace_id
     JOIN organization o ON o.id = w.organization_id
   WHERE x.id = :id`,
);

/** Returns the fields of a request; undefined if the run was deleted. */
export function findRequest(db: Queries, id: string) {
  return db.one(selectRequest, { id });
}
