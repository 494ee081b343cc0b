import { type Queries, sql } from '../../../storage/index.ts';
import { fragment, isOneOf, select } from '../../query/dynamic.ts';
import type { Counts, Phase } from '../lifecycle/phase.ts';

type PhaseRow = Omit<Phase, 'timestamps'> & { readonly timestamps: string };

const COLUMNS = `id, run_id AS "runId", kind, status, timestamps, additions, changes, destructions, imports,
  log_bytes AS "logBytes", preface_bytes AS "prefaceBytes"`;

const selectById = sql<{ id: string }, PhaseRow>(`SELECT ${COLUMNS} FROM run_phase WHERE id = :id`);
const insertPhaseStatement = sql<{ id: string; runId: string; kind: string }>(
  `INSERT INTO run_phase (id, run_id, kind, status, timestamps, additions, changes, destructions, imports, log_bytes)
   VALUES (:id, :runId, :kind, 'pending', '{}', 0, 0, 0, 0, 0)`,
);
const updatePhaseStatement = sql<{ id: string; status: string; timestamps: string } & Record<keyof Counts, number>>(
  `UPDATE run_phase SET status = :status, timestamps = :timestamps, additions = :additions, changes = :changes,
     destructions = :destructions, imports = :imports WHERE id = :id`,
);

const growLog = sql<{ id: string; bytes: number; from: number; most: number }, { id: string }>(
  `UPDATE run_phase SET log_bytes = log_bytes + :bytes
   WHERE id = :id AND log_bytes = :from AND log_bytes + :bytes <= :most RETURNING id`,
);
const growRunningLog = sql<{ id: string; bytes: number; from: number; most: number }, { id: string }>(
  `UPDATE run_phase SET log_bytes = log_bytes + :bytes
   WHERE id = :id AND log_bytes = :from AND log_bytes + :bytes <= :most AND status = 'running' RETURNING id`,
);
const setPrefaceStatement = sql<{ id: string }>('UPDATE run_phase SET preface_bytes = log_bytes WHERE id = :id');
const insertLog = sql<{ phaseId: string; firstByte: number; bytes: number; content: Uint8Array }>(
  `INSERT INTO run_log (phase_id, first_byte, bytes, content) VALUES (:phaseId, :firstByte, :bytes, :content)`,
);
const selectLog = sql<{ phaseId: string; from: number; to: number }, LogPart>(
  `SELECT first_byte AS "firstByte", content FROM run_log
   WHERE phase_id = :phaseId AND first_byte + bytes > :from AND first_byte < :to ORDER BY first_byte`,
);

// Phases of the newest runs that were applied or failed.
const selectMeasured = sql<{ workspaceId: string; most: number }, { status: string; kind: string; timestamps: string }>(
  `SELECT m.status, p.kind, p.timestamps
   FROM (SELECT id, status FROM run WHERE workspace_id = :workspaceId AND status IN ('applied', 'errored')
           AND operation <> 'assessment'
         ORDER BY finished_at DESC, id DESC LIMIT :most) m
   JOIN run_phase p ON p.run_id = m.id`,
);

/** One part of a log as it was appended, encrypted. */
export interface LogPart {
  readonly firstByte: number;
  readonly content: Uint8Array;
}

function phaseOf(row: PhaseRow): Phase {
  return { ...row, timestamps: JSON.parse(row.timestamps) as Phase['timestamps'] };
}

/** Finds a phase. Returns undefined if there is none. */
export async function findPhase(db: Queries, id: string): Promise<Phase | undefined> {
  const row = await db.one(selectById, { id });
  return row && phaseOf(row);
}

/** Returns the plans and applies of these runs. */
export async function phasesOfRuns(db: Queries, runIds: readonly string[]): Promise<Phase[]> {
  if (runIds.length === 0) return [];
  const rows = await select(
    db,
    fragment<PhaseRow>`select ${fragment.raw(COLUMNS)} from run_phase where ${isOneOf('run_id', runIds)}`,
  );
  return rows.map(phaseOf);
}

export function insertPhase(db: Queries, phase: Pick<Phase, 'id' | 'runId' | 'kind'>) {
  return db.run(insertPhaseStatement, phase);
}

export function updatePhase(db: Queries, { id, status, timestamps, additions, changes, destructions, imports }: Phase) {
  const counts = { additions, changes, destructions, imports };
  return db.run(updatePhaseStatement, { id, status, timestamps: JSON.stringify(timestamps), ...counts });
}

/**
 * Appends a part to a log. Returns false if the log does not end at `from`, would become longer than `most` bytes, or
 * the phase is not running although it must be.
 */
export async function appendLog(
  db: Queries,
  { id: phaseId, from, most, mustRun }: { id: string; from: number; most: number; mustRun: boolean },
  part: { bytes: number; content: Uint8Array },
): Promise<boolean> {
  const grown = await db.one(mustRun ? growRunningLog : growLog, { id: phaseId, bytes: part.bytes, from, most });
  if (grown === undefined) return false;
  await db.run(insertLog, { phaseId, firstByte: from, ...part });
  return true;
}

/** Counts the whole log as its preface: what the server wrote before the phase started. */
export function setPreface(db: Queries, id: string) {
  return db.run(setPrefaceStatement, { id });
}

/** Returns the stored parts that overlap this range of bytes. */
export function logParts(db: Queries, phaseId: string, from: number, to: number) {
  return db.all(selectLog, { phaseId, from, to });
}

/** Returns the phases of the newest runs that count for the metrics of a workspace. */
export function measuredPhases(db: Queries, workspaceId: string, most: number) {
  return db.all(selectMeasured, { workspaceId, most });
}
