import { type Queries, sql, type Transaction } from '../../../storage/index.ts';
import type { OutputKind } from './run-output.ts';

/** A stored output. A database trigger deletes its blob with the row (0020-run-outputs). */
export interface OutputRow {
  readonly phaseId: string;
  readonly kind: OutputKind;
  readonly blobName: string;
  readonly size: number;
  readonly createdAt: number;
}

const remove = sql<{ phaseId: string; kind: OutputKind }>(
  'DELETE FROM run_output WHERE phase_id = :phaseId AND kind = :kind',
);
const insert = sql<{ [Column in keyof OutputRow]: OutputRow[Column] }>(
  `INSERT INTO run_output (phase_id, kind, blob_name, size, created_at)
   VALUES (:phaseId, :kind, :blobName, :size, :createdAt)`,
);
const select = sql<{ phaseId: string; kind: OutputKind }, Pick<OutputRow, 'blobName' | 'size'>>(
  'SELECT blob_name AS "blobName", size FROM run_output WHERE phase_id = :phaseId AND kind = :kind',
);
const removeOfRun = sql<{ runId: string; kind: OutputKind }>(
  'DELETE FROM run_output WHERE kind = :kind AND phase_id IN (SELECT id FROM run_phase WHERE run_id = :runId)',
);

/** Replaces an earlier output of the same kind. */
export async function putOutput(tx: Transaction, row: OutputRow): Promise<void> {
  await tx.run(remove, { phaseId: row.phaseId, kind: row.kind });
  await tx.run(insert, row);
}

/** Finds a stored output. Returns undefined if nothing was uploaded. */
export function findOutput(db: Queries, phaseId: string, kind: OutputKind) {
  return db.one(select, { phaseId, kind });
}

export function removeOutputs(tx: Transaction, runId: string, kind: OutputKind) {
  return tx.run(removeOfRun, { runId, kind });
}
