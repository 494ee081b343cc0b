import { type Queries, sql } from '../../storage/index.ts';

/**
 * Sharded counters for concurrent writers. SQLite has one writer, so the counter is a column of its row. On
 * PostgreSQL, each writer inserts a row into `tally` instead, which avoids lock waits and serialization failures.
 * Triggers merge the rows from time to time. The value is the sum of both.
 */

const add = sql<{ subject: string; amount: number }>('INSERT INTO tally (subject, amount) VALUES (:subject, :amount)');

/** SQL of the amount that is not in the row's column; `id` is the column with its id. */
export function tallied(id: string): string {
  return `COALESCE((SELECT SUM(y.amount) FROM tally y WHERE y.subject = ${id}), 0)`;
}

/** SQL of the number of changes that triggers have counted for the row. */
export function talliedChanges(id: string): string {
  return `COALESCE((SELECT SUM(y.changes) FROM tally y WHERE y.subject = ${id}), 0)`;
}

/** Counts for the row with this id. `inRow` updates the column of the row itself. */
export function countInTally(db: Queries, id: string, amount: number, inRow: () => Promise<number>): Promise<number> {
  return db.dialect === 'sqlite' ? inRow() : db.run(add, { subject: id, amount });
}
