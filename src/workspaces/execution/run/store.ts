import { type Queries, sql } from '../../../storage/index.ts';
import type { Identifier } from '../../jsonapi/document.ts';
import { queueClassOf } from '../lifecycle/queue.ts';
import type { RunStatus } from '../lifecycle/status.ts';
import type { ExecutionParameters, Operation, Run, Timestamps } from './run.ts';

/**
 * Highest queue position that is counted.
 * @limit position in the queue that is counted, runs -> later runs show this position
 */
const MAX_POSITION = 1000;

/** A row with the columns of COLUMNS. */
export interface RunRow {
  readonly id: string;
  readonly organizationId: string;
  readonly workspaceId: string;
  readonly configurationVersionId: string;
  readonly status: RunStatus;
  readonly operation: Operation;
  readonly source: string;
  readonly triggerReason: string;
  readonly message: string;
  readonly parameters: string;
  readonly variables: Uint8Array | null;
  readonly timestamps: string;
  readonly hasChanges: number;
  readonly waits: number;
  readonly active: number;
  readonly queueOrder: number;
  readonly stale: number;
  readonly waitingFor: string | null;
  readonly cancelReason: string | null;
  readonly agentId: string | null;
  readonly fence: number;
  readonly plainLog: number;
  readonly appliesBySettings: number;
  readonly untrusted: number;
  readonly createdByType: string;
  readonly createdById: string;
  readonly createdByName: string;
  readonly confirmedByType: string | null;
  readonly confirmedById: string | null;
  readonly canceledAt: number | null;
  readonly finishedAt: number | null;
  readonly createdAt: number;
}

/** All columns of a run. */
export const COLUMNS = `id, organization_id AS "organizationId", workspace_id AS "workspaceId",
  configuration_version_id AS "configurationVersionId", status, operation, source, trigger_reason AS "triggerReason",
  message, parameters, variables, timestamps, has_changes AS "hasChanges", waits, active, queue_turn AS "queueOrder",
  stale, waiting_for AS "waitingFor", cancel_reason AS "cancelReason", agent_id AS "agentId", fence,
  plain_log AS "plainLog", applies_by_settings AS "appliesBySettings", untrusted,
  created_by_type AS "createdByType", created_by_id AS "createdById", created_by_name AS "createdByName",
  confirmed_by_type AS "confirmedByType", confirmed_by_id AS "confirmedById", canceled_at AS "canceledAt",
  finished_at AS "finishedAt", created_at AS "createdAt"`;

/** Position of run `r` in the queue of its organization, from 1; 0 if it is not queued. */
export const POSITION = `CASE WHEN r.queued = 0 THEN 0 ELSE (SELECT count(*) FROM (SELECT 1 FROM run q
  WHERE q.organization_id = r.organization_id AND q.queued = 1
    AND (q.queue_class, q.queue_turn, q.id) <= (r.queue_class, r.queue_turn, r.id)
  ORDER BY q.queue_class, q.queue_turn, q.id LIMIT ${MAX_POSITION}) ahead) END AS position`;

const selectById = sql<{ id: string }, RunRow>(`SELECT ${COLUMNS} FROM run r WHERE r.id = :id`);
const selectPosition = sql<{ id: string }, { position: number }>(`SELECT ${POSITION} FROM run r WHERE r.id = :id`);
const claimRunStatement = sql<{ id: string }, RunRow>(
  `UPDATE run SET version = version + 1 WHERE id = :id RETURNING ${COLUMNS}`,
);
const insertRunStatement = sql<Record<keyof RunRow, RunRow[keyof RunRow]> & { queued: number; queueClass: number }>(
  `INSERT INTO run (id, organization_id, workspace_id, configuration_version_id, status, operation, source,
     trigger_reason, message, parameters, variables, timestamps, has_changes, waits, active, agent_id, queued,
     queue_class, queue_turn, stale, waiting_for, cancel_reason, fence, plain_log, applies_by_settings, untrusted, version,
     created_by_type, created_by_id, created_by_name, confirmed_by_type, confirmed_by_id, canceled_at, finished_at,
     created_at)
   VALUES (:id, :organizationId, :workspaceId, :configurationVersionId, :status, :operation, :source,
     :triggerReason, :message, :parameters, :variables, :timestamps, :hasChanges, :waits, :active, :agentId, :queued,
     :queueClass, :queueOrder, :stale, :waitingFor, :cancelReason, :fence, :plainLog, :appliesBySettings,
     :untrusted, 1,
     :createdByType, :createdById, :createdByName, :confirmedByType, :confirmedById, :canceledAt, :finishedAt,
     :createdAt)`,
);
const updateRunStatement = sql<{
  id: string;
  status: string;
  timestamps: string;
  hasChanges: number;
  waits: number;
  active: number;
  agentId: string | null;
  queued: number;
  queueClass: number;
  queueOrder: number;
  stale: number;
  waitingFor: string | null;
  cancelReason: string | null;
  confirmedByType: string | null;
  confirmedById: string | null;
  canceledAt: number | null;
  finishedAt: number | null;
}>(
  `UPDATE run SET status = :status, timestamps = :timestamps, has_changes = :hasChanges, waits = :waits,
     active = :active, agent_id = :agentId, queued = :queued, queue_class = :queueClass, queue_turn = :queueOrder,
     stale = :stale, waiting_for = :waitingFor, cancel_reason = :cancelReason, confirmed_by_type = :confirmedByType, confirmed_by_id = :confirmedById,
     canceled_at = :canceledAt, finished_at = :finishedAt WHERE id = :id`,
);

const updateParameters = sql<{ id: string; parameters: string }>(
  'UPDATE run SET parameters = :parameters WHERE id = :id',
);

const selectUnfinished = sql<{ configurationVersionId: string }, { id: string }>(
  `SELECT id FROM run WHERE configuration_version_id = :configurationVersionId AND finished_at IS NULL LIMIT 1`,
);
const selectOfConfiguration = sql<{ configurationVersionId: string }, { id: string }>(
  'SELECT id FROM run WHERE configuration_version_id = :configurationVersionId ORDER BY created_at LIMIT 1',
);

function identifier(type: string | null, id: string | null): Identifier | null {
  return type === null || id === null ? null : { type, id };
}

/** Converts a row to a `Run`. */
export function runOf(row: RunRow): Run {
  const { createdByType, createdById, confirmedByType, confirmedById, waits, active, ...rest } = row;
  return {
    ...rest,
    parameters: JSON.parse(row.parameters) as ExecutionParameters,
    timestamps: JSON.parse(row.timestamps) as Timestamps,
    hasChanges: row.hasChanges === 1,
    awaitsWorkspace: waits === 1,
    holdsWorkspace: active === 1,
    plainLog: row.plainLog === 1,
    appliesBySettings: row.appliesBySettings === 1,
    untrusted: row.untrusted === 1,
    stale: row.stale === 1,
    createdBy: { type: createdByType, id: createdById },
    confirmedBy: identifier(confirmedByType, confirmedById),
  };
}

/** Returns the columns that a transition may change, in stored form. */
function changing(run: Run, queued: boolean) {
  return {
    id: run.id,
    status: run.status,
    timestamps: JSON.stringify(run.timestamps),
    hasChanges: Number(run.hasChanges),
    waits: Number(run.awaitsWorkspace),
    active: Number(run.holdsWorkspace),
    agentId: run.agentId,
    queued: Number(queued),
    queueClass: queueClassOf(run),
    queueOrder: run.queueOrder,
    stale: Number(run.stale),
    waitingFor: run.waitingFor,
    cancelReason: run.cancelReason,
    confirmedByType: run.confirmedBy?.type ?? null,
    confirmedById: run.confirmedBy?.id ?? null,
    canceledAt: run.canceledAt,
    finishedAt: run.finishedAt,
  };
}

/** Finds a run. Returns undefined if there is none. */
export async function findRun(db: Queries, id: string): Promise<Run | undefined> {
  const row = await db.one(selectById, { id });
  return row && runOf(row);
}

/** Returns the position in the queue of the organization, from 1; 0 if the run is not queued. */
export async function queuePosition(db: Queries, id: string): Promise<number> {
  return (await db.one(selectPosition, { id }))?.position ?? 0;
}

/** Locks the row until the transaction ends. Returns undefined if the run was deleted. */
export async function claimRun(db: Queries, id: string): Promise<Run | undefined> {
  const row = await db.one(claimRunStatement, { id });
  return row && runOf(row);
}

export function insertRun(db: Queries, run: Run, queued: boolean) {
  const { createdBy, confirmedBy, parameters, awaitsWorkspace: _waits, holdsWorkspace: _active, ...rest } = run;
  return db.run(insertRunStatement, {
    ...rest,
    ...changing(run, queued),
    plainLog: Number(run.plainLog),
    appliesBySettings: Number(run.appliesBySettings),
    untrusted: Number(run.untrusted),
    parameters: JSON.stringify(parameters),
    createdByType: createdBy.type,
    createdById: createdBy.id,
  });
}

/** Updates a run after a transition. Call `claimRun` first. */
export function updateRun(db: Queries, run: Run, queued: boolean) {
  return db.run(updateRunStatement, changing(run, queued));
}

/** Updates the options of a run. Call `claimRun` first. */
export function setParameters(db: Queries, id: string, parameters: ExecutionParameters) {
  return db.run(updateParameters, { id, parameters: JSON.stringify(parameters) });
}

/** Returns whether an unfinished run uses that configuration version. */
export async function isConfigurationInUse(db: Queries, configurationVersionId: string): Promise<boolean> {
  return (await db.one(selectUnfinished, { configurationVersionId })) !== undefined;
}

/** Returns the first run of that configuration version. */
export async function firstRunOfConfiguration(
  db: Queries,
  configurationVersionId: string,
): Promise<string | undefined> {
  return (await db.one(selectOfConfiguration, { configurationVersionId }))?.id;
}
