import { type Queries, sql } from '../../../storage/index.ts';
import type { TaskOutcome } from './task-stage.ts';

interface Row extends Omit<TaskOutcome, 'tags'> {
  readonly tags: string;
}

const insertOutcome = sql<Record<keyof Row, string> & { place: number }>(
  `INSERT INTO task_outcome (id, result_id, place, outcome_id, description, body, url, tags)
   VALUES (:id, :resultId, :place, :outcomeId, :description, :body, :url, :tags)`,
);
const removeOutcomes = sql<{ resultId: string }>('DELETE FROM task_outcome WHERE result_id = :resultId');
const selectOutcomes = sql<{ resultId: string }, Row>(
  `SELECT id, result_id AS "resultId", outcome_id AS "outcomeId", description, body, url, tags FROM task_outcome
   WHERE result_id = :resultId ORDER BY place`,
);

/** Replaces the outcomes of a result. */
export async function replaceOutcomes(db: Queries, resultId: string, outcomes: readonly TaskOutcome[]): Promise<void> {
  await db.run(removeOutcomes, { resultId });
  for (const [place, { tags, ...outcome }] of outcomes.entries()) {
    await db.run(insertOutcome, { ...outcome, tags: JSON.stringify(tags), place });
  }
}

/** Returns the outcomes in the order of the report. */
export async function outcomesOfResult(db: Queries, resultId: string): Promise<TaskOutcome[]> {
  const rows = await db.all(selectOutcomes, { resultId });
  return rows.map((row) => ({ ...row, tags: JSON.parse(row.tags) as TaskOutcome['tags'] }));
}
