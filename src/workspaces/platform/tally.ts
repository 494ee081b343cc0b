import { type Queries, sql } from '../../storage/index.ts';

/**
 * Numbers that many count up and down at once. On SQLite, where one writes at a time, they are in the row that is counted for.
 * On PostgreSQL whoever counts adds a row to `tally` instead, so that nobody waits for anybody, or fails for it; the database
 * itself puts rows together from time to time. The number is the sum of both.
 */

const add = sql<{ subject: string; amount: number }>('INSERT INTO tally (subject, amount) VALUES (:subject, :amount)');

/** What has been counted for a row that is not in it; `id` is the column with its id. */
export function tallied(id: string): string {
  return `COALESCE((SELECT SUM(y.amount) FROM tally y WHERE y.subject = ${id}), 0)`;
}

/** The same of how often what belongs to a row has changed, which triggers count. */
export function talliedChanges(id: string): string {
  return `COALESCE((SELECT SUM(y.changes) FROM tally y WHERE y.subject = ${id}), 0)`;
}

/** Counts for the row with that id. `inRow` counts in the row itself. */
export function countInTally(db: Queries, id: string, amount: number, inRow: () => Promise<number>): Promise<number> {
  return db.dialect === 'sqlite' ? inRow() : db.run(add, { subject: id, amount });
}
