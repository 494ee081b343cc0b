import { type Queries, sql, type Transaction } from '../../../storage/index.ts';
import { BEFORE_PLAN } from '../lifecycle/status.ts';
import { notPostponed } from './postponed-work.ts';

// Excludes the run that is being applied, because it changes the state itself, and queued runs, because they have not
// read a state yet.
const UP_TO_DATE = `workspace_id = :workspaceId AND finished_at IS NULL AND operation = 'save_plan' AND active = 0
  AND stale = 0 AND status NOT IN (${BEFORE_PLAN.map((status) => `'${status}'`).join(', ')})`;
const selectAny = sql<{ workspaceId: string }, { id: string }>(`SELECT id FROM run WHERE ${UP_TO_DATE} LIMIT 1`);
const outdate = sql<{ workspaceId: string }, { id: string }>(
  `UPDATE run SET stale = 1, version = version + 1 WHERE ${UP_TO_DATE} RETURNING id`,
);
const NOT_POSTPONED = notPostponed('saved-plan');
const selectOutdated = sql<{ now: number; limit: number }, { id: string }>(
  `SELECT id FROM run WHERE stale = 1 AND status IN ('planned_and_saved', 'confirmed') AND ${NOT_POSTPONED}
   ORDER BY id LIMIT :limit`,
);

const selectForgotten = sql<{ before: number; now: number; limit: number }, { id: string }>(
  `SELECT id FROM run WHERE status = 'planned_and_saved' AND created_at <= :before AND ${NOT_POSTPONED}
   ORDER BY created_at, id LIMIT :limit`,
);

/**
 * Marks the saved plans of a workspace as stale, including those that are being made. Returns the newly marked ones.
 */
export async function markPlansOutdated(tx: Transaction, workspaceId: string): Promise<string[]> {
  // Usually there are no saved plans. Reading first avoids a write.
  if ((await tx.one(selectAny, { workspaceId })) === undefined) return [];
  return (await tx.all(outdate, { workspaceId })).map(({ id }) => id);
}

/** Returns some stale plans that are not discarded yet. */
export async function outdatedPlans(db: Queries, now: number, limit: number): Promise<string[]> {
  return (await db.all(selectOutdated, { now, limit })).map(({ id }) => id);
}

/** Returns some saved plans that were created before that time and are not confirmed. */
export async function unconfirmedPlans(db: Queries, before: number, now: number, limit: number): Promise<string[]> {
  return (await db.all(selectForgotten, { before, now, limit })).map(({ id }) => id);
}
