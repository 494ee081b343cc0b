import { type Queries, sql } from '../../../storage/index.ts';
import { fragment, select } from '../../query/dynamic.ts';
import type { EnforcementLevel, Stage } from '../run-task/run-task.ts';
import type { Due, Without } from '../webhook/delivery-loop.ts';
import type { ResultStatus } from './task-stage.ts';

/** A result that was taken. */
export interface ClaimedRequest {
  readonly id: string;
  readonly taskId: string;
  readonly status: ResultStatus;
  readonly tries: number;
  readonly beganAt: number;
}

/** What a request says. */
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
  /** JSON. */
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

/** Some whose turn it is, longest due first; without those whose organization is being removed, or is named, as targets are. */
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

/** Takes it until then, for whoever holds the claim. Undefined when it is not its turn any more. */
export function claimRequest(db: Queries, given: { id: string; claim: string; until: number; now: number }) {
  return db.one(claimOne, given);
}

/** Gives it back after a try. False when it was taken away meanwhile. */
export async function releaseRequest(db: Queries, id: string, held: string): Promise<boolean> {
  return (await db.one(releaseOne, { id, claim: held })) !== undefined;
}

/** It is tried again then. */
export function retryRequest(db: Queries, id: string, dueAt: number) {
  return db.run(putOff, { id, dueAt });
}

/** Undefined when the run is gone. */
export function findRequest(db: Queries, id: string) {
  return db.one(selectRequest, { id });
}
