import { type Queries, sql } from '../../../storage/index.ts';
import type { RunStatus } from '../lifecycle/status.ts';
import type { Run } from './run.ts';

/** Of `workspace`: there is no run whose turn could be next. */
export const NOBODY_WAITS = 'NOT EXISTS (SELECT 1 FROM run r WHERE r.workspace_id = workspace.id AND r.waits = 1)';

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
const countQueued = sql<{ organizationId: string }, { status: RunStatus; count: number }>(
  `SELECT status, count(*) AS count FROM run WHERE organization_id = :organizationId AND queued = 1 GROUP BY status`,
);

/** The run that holds the workspace. */
export async function activeIn(db: Queries, workspaceId: string): Promise<string | undefined> {
  return (await db.one(selectActive, { workspaceId }))?.id;
}

/** The run whose turn is next. */
export async function nextIn(db: Queries, workspaceId: string): Promise<string | undefined> {
  return (await db.one(selectNext, { workspaceId }))?.id;
}

/** Those that wait and came before it. */
export async function waitingBefore(db: Queries, { workspaceId, createdAt, id }: Run): Promise<string[]> {
  return (await db.all(selectBefore, { workspaceId, createdAt, id })).map((row) => row.id);
}

/** Those that are not over, the one that holds the workspace last. */
export async function openIn(db: Queries, workspaceId: string): Promise<string[]> {
  return (await db.all(selectOpen, { workspaceId })).map((row) => row.id);
}

export async function waitingIn(db: Queries, workspaceId: string): Promise<number> {
  return (await db.one(countWaiting, { workspaceId }))?.count ?? 0;
}

/** How many runs of an organization are in its queue, by status. */
export function queuedByStatus(db: Queries, organizationId: string) {
  return db.all(countQueued, { organizationId });
}
