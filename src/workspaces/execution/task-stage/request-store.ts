import { type Queries, sql } from '../../../storage/index.ts';
import type { Due, Without } from '../../delivery/index.ts';
import { fragment, select } from '../../query/dynamic.ts';
import type { EnforcementLevel, Stage } from '../run-task/run-task.ts';
import type { ResultStatus } from './task-stage.ts';

/** A claimed result. */
export interface ClaimedRequest {
  readonly id: string;
  readonly taskId: string;
  readonly status: ResultStatus;
  readonly tries: number;
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
  readonly operation: string;
  readonly configurationVersionId: string;
  readonly planId: string;
  readonly workspaceId: string;
  readonly workspaceName: string;
  /** Settings of the workspace, as JSON. */
  readonly settings: string;
  readonly organizationName: string;
}

const claimOne = sql<{ id: string; claim: string; until: number; now: number }, ClaimedRequest>(
  `UPDATE task_result SET claim = :claim, claimed_until = :until
   WHERE id = :id AND due_at <= :now AND claimed_until <= :now
   RETURNING id, task_id AS "taskId", status, tries, began_at AS "beganAt"`,
);
const releaseOne = sql<{ id: string; claim: string }, { id: string }>(
  `UPDATE task_result SET claim = NULL, claimed_until = 0, tries = tries + 1 WHERE id = :id AND claim = :claim
   RETURNING id`,
);
const putOff = sql<{ id: string; dueAt: number }>(
  `UPDATE task_result SET due_at = :dueAt WHERE id = :id AND status = 'pending' AND due_at IS NOT NULL`,
);
const selectRequest = sql<{ id: string }, RequestRow>(
  `SELECT x.id AS "resultId", x.enforcement_level AS "enforcementLevel", s.stage, r.id AS "runId",
     r.message AS "runMessage", r.created_at AS "runCreatedAt", r.created_by_type AS "createdByType",
     r.created_by_id AS "createdById", r.operation, r.configuration_version_id AS "configurationVersionId",
     p.id AS "planId", w.id AS "workspaceId", w.name AS "workspaceName", w.settings, o.name AS "organizationName"
   FROM task_result x JOIN task_stage s ON s.id = x.stage_id JOIN run r ON r.id = s.run_id
     JOIN run_phase p ON p.run_id = r.id AND p.kind = 'plan' JOIN workspace w ON w.id = r.workspace_id
     JOIN organization o ON o.id = w.organization_id
   WHERE x.id = :id`,
);

/**
 * Returns some due results, longest due first. Skips organizations that are being deleted, and those in `without`;
 * the same for targets.
 */
export function dueRequests(
  db: Queries,
  now: number,
  { organizations, targets }: Without,
  limit: number,
): Promise<Due[]> {
  const but = (column: string, values: readonly string[]) =>
    values.length === 0 ? fragment`` : fragment`and ${fragment.raw(column)} not in (${fragment.join(values)})`;
  return select(
    db,
    fragment<Due>`select x.id, x.organization_id as "organizationId", x.target from task_result x
      join organization o on o.id = x.organization_id and o.deleted_at is null
      where x.due_at <= ${now} and x.claimed_until <= ${now} ${but('x.organization_id', organizations)}
      ${but('x.target', targets)} order by x.due_at, x.id limit ${limit}`,
  );
}

/** Claims a result until that time. Returns undefined if it is not due any more. */
export function claimRequest(db: Queries, given: { id: string; claim: string; until: number; now: number }) {
  return db.one(claimOne, given);
}

/** Releases a result after a try. Returns false if another node has claimed it meanwhile. */
export async function releaseRequest(db: Queries, id: string, held: string): Promise<boolean> {
  return (await db.one(releaseOne, { id, claim: held })) !== undefined;
}

/** Sets the time of the next try. */
export function retryRequest(db: Queries, id: string, dueAt: number) {
  return db.run(putOff, { id, dueAt });
}

/** Returns the fields of a request; undefined if the run was deleted. */
export function findRequest(db: Queries, id: string) {
  return db.one(selectRequest, { id });
}
