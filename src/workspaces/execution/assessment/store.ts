import { type Queries, sql, type Transaction } from '../../../storage/index.ts';
import { fragment, isOneOf, select } from '../../query/dynamic.ts';
import type { AssessmentResult, Findings } from '../lifecycle/assessment.ts';

interface Row extends Omit<AssessmentResult, 'drifted' | 'succeeded' | 'findings'> {
  readonly drifted: number;
  readonly succeeded: number;
  readonly resourcesDrifted: number | null;
  readonly resourcesUndrifted: number | null;
  readonly checksPassed: number | null;
  readonly checksFailed: number | null;
  readonly checksErrored: number | null;
  readonly checksUnknown: number | null;
}

const COLUMNS = `id, workspace_id AS "workspaceId", run_id AS "runId", drifted, succeeded, error_message AS "errorMessage",
  resources_drifted AS "resourcesDrifted", resources_undrifted AS "resourcesUndrifted", checks_passed AS "checksPassed",
  checks_failed AS "checksFailed", checks_errored AS "checksErrored", checks_unknown AS "checksUnknown",
  finished_at AS "finishedAt"`;

const insertBegun = sql<{ id: string; workspaceId: string; runId: string; createdAt: number }>(
  `INSERT INTO assessment_result (id, workspace_id, run_id, created_at) VALUES (:id, :workspaceId, :runId, :createdAt)`,
);
const updateFindings = sql<{ [Column in keyof Findings]: number } & { runId: string }>(
  `UPDATE assessment_result SET resources_drifted = :resourcesDrifted, resources_undrifted = :resourcesUndrifted,
     checks_passed = :checksPassed, checks_failed = :checksFailed, checks_errored = :checksErrored,
     checks_unknown = :checksUnknown
   WHERE run_id = :runId`,
);
// If the agent did not report counts, a plan with changes means drift.
const end = sql<
  { runId: string; succeeded: number; changes: number; errorMessage: string | null; finishedAt: number },
  Row
>(
  `UPDATE assessment_result SET succeeded = :succeeded, error_message = :errorMessage, finished_at = :finishedAt,
     drifted = CASE WHEN resources_drifted IS NULL THEN CAST(:changes AS BIGINT) WHEN resources_drifted > 0 THEN 1 ELSE 0 END
   WHERE run_id = :runId AND finished_at IS NULL RETURNING ${COLUMNS}`,
);
const forgetOne = sql<{ runId: string }>('DELETE FROM assessment_result WHERE run_id = :runId');
const selectById = sql<{ id: string }, Row>(
  `SELECT ${COLUMNS} FROM assessment_result WHERE id = :id AND finished_at IS NOT NULL`,
);
const selectBefore = sql<{ workspaceId: string; id: string }, Row>(
  `SELECT ${COLUMNS} FROM assessment_result WHERE workspace_id = :workspaceId AND finished_at IS NOT NULL AND id <> :id
   ORDER BY finished_at DESC, id DESC LIMIT 1`,
);
const selectOpen = sql<{ workspaceId: string }, { id: string; isAssessment: number }>(
  `SELECT id, CASE WHEN operation = 'assessment' THEN 1 ELSE 0 END AS "isAssessment" FROM run
   WHERE workspace_id = :workspaceId AND finished_at IS NULL ORDER BY created_at, id LIMIT 100`,
);
const removeOld = sql<{ workspaceId: string; keep: number; limit: number }>(
  `DELETE FROM run WHERE id IN (
     SELECT r.id FROM run r WHERE r.workspace_id = :workspaceId AND r.operation = 'assessment' AND r.finished_at IS NOT NULL
       AND r.id NOT IN (SELECT a.run_id FROM assessment_result a WHERE a.workspace_id = :workspaceId
                        ORDER BY a.finished_at IS NULL DESC, a.finished_at DESC, a.id DESC LIMIT :keep)
     ORDER BY r.finished_at, r.id LIMIT :limit)`,
);

function resultOf({ drifted, succeeded, ...row }: Row): AssessmentResult {
  const { id, workspaceId, runId, errorMessage, finishedAt } = row;
  const { resourcesDrifted, resourcesUndrifted, checksPassed, checksFailed, checksErrored, checksUnknown } = row;
  const counts = { resourcesDrifted, resourcesUndrifted, checksPassed, checksFailed, checksErrored, checksUnknown };
  return {
    ...{ id, workspaceId, runId, errorMessage, finishedAt },
    drifted: drifted === 1,
    succeeded: succeeded === 1,
    findings: resourcesDrifted === null ? null : (counts as Findings),
  };
}

/** Stores an assessment that starts now. Clients cannot see it until it is finished. */
export function insertResult(
  tx: Transaction,
  one: { id: string; workspaceId: string; runId: string; createdAt: number },
) {
  return tx.run(insertBegun, one);
}

export function setFindings(tx: Transaction, runId: string, findings: Findings) {
  return tx.run(updateFindings, { ...findings, runId });
}

/** End of an assessment. */
export interface Ending {
  readonly runId: string;
  readonly succeeded: boolean;
  readonly hasChanges: boolean;
  readonly errorMessage: string | null;
  readonly finishedAt: number;
}

/** Stores the end of an assessment. Returns undefined if it was already finished. */
export async function finishResult(tx: Transaction, ending: Ending): Promise<AssessmentResult | undefined> {
  const { succeeded, hasChanges, ...rest } = ending;
  const flags = { succeeded: Number(succeeded), changes: Number(succeeded && hasChanges) };
  const row = await tx.one(end, { ...rest, ...flags });
  return row && resultOf(row);
}

/** Deletes an assessment without a result. */
export function removeResult(tx: Transaction, runId: string) {
  return tx.run(forgetOne, { runId });
}

/** Finds a finished assessment. Returns undefined if there is none with this id. */
export async function findResult(db: Queries, id: string): Promise<AssessmentResult | undefined> {
  const row = await db.one(selectById, { id });
  return row && resultOf(row);
}

/** Returns the assessments with these ids. */
export async function findResults(db: Queries, ids: readonly string[]): Promise<AssessmentResult[]> {
  if (ids.length === 0) return [];
  const rows = await select(
    db,
    fragment<Row>`select ${fragment.raw(COLUMNS)} from assessment_result
      where ${isOneOf('id', ids)} and finished_at is not null`,
  );
  return rows.map(resultOf);
}

/** Returns the newest assessment of the workspace except that one. */
export async function previousResult(
  db: Queries,
  { workspaceId, id }: Pick<AssessmentResult, 'workspaceId' | 'id'>,
): Promise<AssessmentResult | undefined> {
  const row = await db.one(selectBefore, { workspaceId, id });
  return row && resultOf(row);
}

/** Returns the unfinished runs and assessments of a workspace. */
export async function unfinishedRuns(
  db: Queries,
  workspaceId: string,
): Promise<{ runs: string[]; assessments: string[] }> {
  const open = await db.all(selectOpen, { workspaceId });
  const ids = (wanted: number) => open.filter(({ isAssessment }) => isAssessment === wanted).map(({ id }) => id);
  return { runs: ids(0), assessments: ids(1) };
}

/** Deletes assessments older than the newest `keep`, with all their outputs. */
export function removeOtherResults(tx: Transaction, workspaceId: string, keep: number, limit: number) {
  return tx.run(removeOld, { workspaceId, keep, limit });
}
