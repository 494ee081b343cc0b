import { type Queries, sql } from '../../../storage/index.ts';
import { QUEUE_CLASS, type QueueClass } from '../lifecycle/queue.ts';
import type { Run } from './run.ts';

/** @limit runs of an organization that make its next one wait longer, runs -> more make no difference */
const MAX_COUNTED = 1000;

/** Of `workspace`: there is no run whose turn could be next. */
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
// Those that wait first: the one that is active would make way for them.
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

/** The run that holds the workspace. */
export async function runHoldingWorkspace(db: Queries, workspaceId: string): Promise<string | undefined> {
  return (await db.one(selectActive, { workspaceId }))?.id;
}

/** The run whose turn is next. */
export async function nextRunOfWorkspace(db: Queries, workspaceId: string): Promise<string | undefined> {
  return (await db.one(selectNext, { workspaceId }))?.id;
}

/** Those that wait and came before it. */
export async function runsWaitingBefore(db: Queries, { workspaceId, createdAt, id }: Run): Promise<string[]> {
  return (await db.all(selectBefore, { workspaceId, createdAt, id })).map((row) => row.id);
}

/** Those that are not over, the one that holds the workspace last. */
export async function unfinishedRunsOfWorkspace(db: Queries, workspaceId: string): Promise<string[]> {
  return (await db.all(selectOpen, { workspaceId })).map((row) => row.id);
}

export async function countWaitingRuns(db: Queries, workspaceId: string): Promise<number> {
  return (await db.one(countWaiting, { workspaceId }))?.count ?? 0;
}

/** The last turn that a workspace has in a class of the queue; null when it has none. */
export async function lastQueueOrder(db: Queries, workspaceId: string, queueClass: QueueClass): Promise<number | null> {
  return (await db.one(selectLastTurn, { workspaceId, queueClass }))?.last ?? null;
}

/** How many runs of an organization are in a class of its queue, up to a number that makes them wait for long. */
export async function countQueuedInClass(db: Queries, organizationId: string, queueClass: QueueClass): Promise<number> {
  return Number((await db.one(countInClass, { organizationId, queueClass, most: MAX_COUNTED }))?.count ?? 0);
}

/** How many runs of an organization are in its queue, by class. */
export function countQueuedByClass(db: Queries, organizationId: string) {
  return db.all(countQueued, { organizationId });
}
