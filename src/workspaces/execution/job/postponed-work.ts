import { sql, type Transaction } from '../../../storage/index.ts';
import { type Fragment, fragment } from '../../query/dynamic.ts';

/** Reconcilers whose failed work waits. */
type Kind = 'queue' | 'saved-plan' | 'timeout' | 'no-agent' | 'assessment-wait' | 'schedule';

/**
 * @limit time until work of a run or a schedule that has failed unexpectedly is tried again, ms -> others get their turn
 * meanwhile
 */
const LATER = 600_000;
const DAY = 86_400_000;

const insert = sql<{ kind: Kind; id: string; dueAt: number }>(
  `INSERT INTO postponed_work (kind, id, due_at) VALUES (:kind, :id, :dueAt)
   ON CONFLICT (kind, id) DO UPDATE SET due_at = excluded.due_at`,
);
const removeOld = sql<{ before: number }>('DELETE FROM postponed_work WHERE due_at < :before');

/**
 * Returns the condition that the work of a row is not postponed, in SQL with the parameter `now`.
 * @param table with the column `id`
 */
export const notPostponed = (kind: Kind, table = 'run'): string =>
  `NOT EXISTS (SELECT 1 FROM postponed_work pw WHERE pw.kind = '${kind}' AND pw.id = ${table}.id AND pw.due_at > :now)`;

/** As `notPostponed`, for a query that is built for one call. @param now milliseconds since 1970 */
export const isNotPostponed = (kind: Kind, now: number, table = 'run'): Fragment =>
  fragment`not exists (select 1 from postponed_work pw
    where pw.kind = ${kind} and pw.id = ${fragment.raw(table)}.id and pw.due_at > ${now})`;

/** Makes the work due later. See `Reconciler.postpone`. */
export async function postponeWork(tx: Transaction, kind: Kind, id: string, now: number): Promise<void> {
  await tx.run(removeOld, { before: now - DAY });
  await tx.run(insert, { kind, id, dueAt: now + LATER });
}
