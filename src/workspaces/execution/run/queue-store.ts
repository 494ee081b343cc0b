import { type Queries, sql } from '../../../storage/index.ts';
import { QUEUE_CLASS, type QueueClass } from '../lifecycle/queue.ts';
import type { Run } from './run.ts';

/** @limit runs of an organization that delay its next one, runs -> further runs add no delay */
const MAX_COUNTED = 1000;

/** Condition on `workspace`: no run waits for it. */
export const NO_RUN_WAITS = 'NOT EXISTS (SELECT 1 FROM run r WHERE r.workspace_id = workspace.id AND r.waits = 1)';

const selectActive = sql<{ workspaceId: string }, { id: string }>(
  'SELECT id FROM run WHERE workspace_id = :workspaceId AND active = 1',
);
const selectNext = sql<{ workspaceId: string }, { id: string }>(
  'SELECT id FROM run WHERE workspace_id = :workspaceId AND waits = 1 ORDER BY created_at, id LIMIT 1',
);
const selectBefore = sql<{ workspaceId: string; createdAt: number; id: string }, { id: string }>(
  `SELECT id FROM run WHERE workspace_id = :workspaceId AND waits = 1
     AND (created_at, id) < (:createdAt, :id) ORDER BY created_at, id`,
);
// The runs that wait come first, because the run that holds the workspace makes way for them.
const selectOpen = sql<{ workspaceId: string }, { id: string }>(
  `SELECT id FROM run WHERE workspace_id = :workspaceId AND finished_at IS NULL ORDER BY active, created_at, id`,
);
const countWaiting = sql<{ workspaceId: string }, { count: number }>(
  'SELECT count(*) AS count FROM run WHERE workspace_id = :workspaceId AND waits = 1',
);
const selectLastTurn = sql<{ workspaceId: string; queueClass: number }, { last: number | null }>(
  `SELECT max(queue_turn) AS last FROM run
   WHERE workspace_id = :workspaceId AND queued = 1 AND queue_class = :queueClass`,
);
const countInClass = sql<{ organizationId: string; queueClass: number; most: number }, { count: number }>(
  `SELECT count(*) AS count FROM (SELECT 1 FROM run
   WHERE organization_id = :organizationId AND queued = 1 AND queue_class = :queueClass LIMIT :most) r`,
);
const countQueued = sql<{ organizationId: string }, { queueClass: QueueClass; count: number }>(
  `SELECT queue_class AS "queueClass", count(*) AS count FROM run
   WHERE organization_id = :organizationId AND queued = 1 AND queue_class < ${QUEUE_CLASS.assessment} GROUP BY queue_class`,
);

/** Returns the run that holds the workspace. */
export async function runHoldingWorkspace(db: Queries, workspaceId: string): Promise<string | undefined> {
  return (await db.one(selectActive, { workspaceId }))?.id;
}

/** Returns the run that gets the workspace next. */
export async function nextRunOfWorkspace(db: Queries, workspaceId: string): Promise<string | undefined> {
  return (await db.one(selectNext, { workspaceId }))?.id;
}

/** Returns the runs that wait for the workspace and came before this one. */
export async function runsWaitingBefore(db: Queries, { workspaceId, createdAt, id }: Run): Promise<string[]> {
  return (await db.all(selectBefore, { workspaceId, createdAt, id })).map((row) => row.id);
}

/** Returns the unfinished runs of a workspace; the run that holds the workspace comes last. */
export async function unfinishedRunsOfWorkspace(db: Queries, workspaceId: string): Promise<string[]> {
  return (await db.all(selectOpen, { workspaceId })).map((row) => row.id);
}

export async function countWaitingRuns(db: Queries, workspaceId: string): Promise<number> {
  return (await db.one(countWaiting, { workspaceId }))?.count ?? 0;
}

/** Returns the highest sort key of a workspace in a queue class; null if it has no run there. */
export async function lastQueueOrder(db: Queries, workspaceId: string, queueClass: QueueClass): Promise<number | null> {
  return (await db.one(selectLastTurn, { workspaceId, queueClass }))?.last ?? null;
}

/** Counts the runs of an organization in a queue class, up to the limit above which more runs add no delay. */
export async function countQueuedInClass(db: Queries, organizationId: string, queueClass: QueueClass): Promise<number> {
  return Number((await db.one(countInClass, { organizationId, queueClass, most: MAX_COUNTED }))?.count ?? 0);
}

/** Counts the queued runs of an organization by class. */
export function countQueuedByClass(db: Queries, organizationId: string) {
  return db.all(countQueued, { organizationId });
}
