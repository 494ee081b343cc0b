import { type Queries, sql, type Transaction } from '../../../storage/index.ts';
import { EXECUTION, NOT_DELETED } from '../../workspace/index.ts';
import { notPostponed } from '../job/postponed-work.ts';

/** @limit workspaces that one sweep checks for a due assessment, workspaces -> the next sweep checks the others */
const MAX_DUE = 100;
/** @limit assessments without an agent that one sweep ends, assessments -> the next sweep ends the others */
const MAX_LATE = 100;

const addWorkspace = sql<{ workspaceId: string; nextAt: number }>(
  `INSERT INTO assessment_schedule (workspace_id, next_at) VALUES (:workspaceId, :nextAt)
   ON CONFLICT (workspace_id) DO NOTHING`,
);
const selectDue = sql<{ now: number; limit: number }, { id: string }>(
  `SELECT workspace_id AS id FROM assessment_schedule WHERE next_at <= :now ORDER BY next_at, workspace_id LIMIT :limit`,
);
const selectNext = sql<{ workspaceId: string }, { nextAt: number }>(
  'SELECT next_at AS "nextAt" FROM assessment_schedule WHERE workspace_id = :workspaceId',
);
const postpone = sql<{ workspaceId: string; seen: number; nextAt: number }, { id: string }>(
  `UPDATE assessment_schedule SET next_at = :nextAt WHERE workspace_id = :workspaceId AND next_at = :seen
   RETURNING workspace_id AS id`,
);
const lockWorkspace = sql<{ workspaceId: string }>(
  'UPDATE assessment_schedule SET next_at = next_at WHERE workspace_id = :workspaceId',
);
const selectLate = sql<{ before: number; now: number; limit: number }, { id: string }>(
  `SELECT id FROM run WHERE queued = 1 AND queue_class = 5 AND created_at <= :before
     AND ${notPostponed('assessment-wait')}
   ORDER BY created_at, id LIMIT :limit`,
);
const selectAssessed = sql<{ id: string }, AssessedRow>(
  `SELECT w.organization_id AS "organizationId", w.settings, o.settings AS "organizationSettings",
     x.execution_mode AS "executionMode",
     r.status AS "runStatus", r.configuration_version_id AS "configurationVersionId",
     CASE WHEN c.status = 'uploaded' AND c.backing = 'kept' THEN 1 ELSE 0 END AS "hasConfiguration"
   FROM ${EXECUTION} JOIN workspace w ON w.id = x.id JOIN organization o ON o.id = w.organization_id
   LEFT JOIN run r ON r.id = w.current_run_id
   LEFT JOIN configuration_version c ON c.id = r.configuration_version_id
   WHERE x.id = :id AND ${NOT_DELETED} AND o.deleted_at IS NULL`,
);

interface AssessedRow {
  readonly organizationId: string;
  /** Settings of the workspace, as JSON. */
  readonly settings: string;
  /** Settings of the organization, as JSON. */
  readonly organizationSettings: string;
  readonly executionMode: string;
  readonly runStatus: string | null;
  readonly configurationVersionId: string | null;
  readonly hasConfiguration: number;
}

/** Facts that decide whether and with which settings a workspace is assessed. */
export interface Assessed extends Pick<AssessedRow, 'organizationId' | 'runStatus'> {
  /** Setting of the workspace or, by default, of its organization. */
  readonly isWanted: boolean;
  readonly executionMode: string;
  /** Status of the workspace's current run; undefined if it was deleted. */
  readonly configurationVersionId: string | undefined;
}

/** Returns the facts about a workspace; undefined if the workspace was deleted. */
export async function assessed(db: Queries, id: string): Promise<Assessed | undefined> {
  const row = await db.one(selectAssessed, { id });
  if (row === undefined) return undefined;
  const settings = JSON.parse(row.settings) as Readonly<Record<string, unknown>>;
  const enforced = JSON.parse(row.organizationSettings) as Readonly<Record<string, unknown>>;
  return {
    organizationId: row.organizationId,
    runStatus: row.runStatus,
    isWanted: settings['assessments-enabled'] === true || enforced['assessments-enforced'] === true,
    executionMode: row.executionMode,
    configurationVersionId: row.hasConfiguration === 1 ? (row.configurationVersionId ?? undefined) : undefined,
  };
}

/** Schedules a workspace. Does nothing if it is already scheduled. */
export function addSchedule(tx: Transaction, workspaceId: string, nextAt: number) {
  return tx.run(addWorkspace, { workspaceId, nextAt });
}

/** Returns some workspaces whose assessment is due. */
export async function dueWorkspaces(db: Queries, now: number): Promise<string[]> {
  return (await db.all(selectDue, { now, limit: MAX_DUE })).map(({ id }) => id);
}

/** Returns the next time: 0 if no time of the day is assigned yet, undefined if the workspace is not scheduled. */
export async function nextAssessmentTime(db: Queries, workspaceId: string): Promise<number | undefined> {
  return (await db.one(selectNext, { workspaceId }))?.nextAt;
}

/** Moves the next time. Returns false if another node has done so (optimistic concurrency). */
export async function rescheduleAssessment(
  tx: Transaction,
  workspaceId: string,
  seen: number,
  nextAt: number,
): Promise<boolean> {
  return (await tx.one(postpone, { workspaceId, seen, nextAt })) !== undefined;
}

/** Locks the schedule of the workspace until the transaction ends, so that no other assessment starts. */
export function lockSchedule(tx: Transaction, workspaceId: string) {
  return tx.run(lockWorkspace, { workspaceId });
}

/** Returns some assessments that have waited for an agent since before that time. */
export async function overdueAssessments(db: Queries, before: number, now: number): Promise<string[]> {
  return (await db.all(selectLate, { before, now, limit: MAX_LATE })).map(({ id }) => id);
}
