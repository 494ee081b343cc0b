import { type Queries, sql, type Transaction } from '../../../storage/index.ts';
import { NOT_DELETED } from '../../workspace/index.ts';

const putProject = sql<{ projectId: string; now: number }>(
  `INSERT INTO auto_destroy_project (project_id, after_id, next_at) VALUES (:projectId, '', :now)
   ON CONFLICT (project_id) DO UPDATE SET after_id = '', next_at = :now`,
);
const selectProjects = sql<{ now: number; limit: number }, { id: string }>(
  `SELECT project_id AS id FROM auto_destroy_project WHERE next_at <= :now ORDER BY next_at, project_id LIMIT :limit`,
);
const selectPending = sql<{ projectId: string; workspaceId: string }, { id: string }>(
  `SELECT project_id AS id FROM auto_destroy_project WHERE project_id = :projectId AND after_id < :workspaceId`,
);
// Locks the row, so that one node takes each step.
const claimProject = sql<{ projectId: string }, { afterId: string }>(
  `UPDATE auto_destroy_project SET after_id = after_id WHERE project_id = :projectId RETURNING after_id AS "afterId"`,
);
const selectWorkspaces = sql<{ projectId: string; afterId: string; limit: number }, { id: string }>(
  `SELECT w.id FROM workspace w WHERE w.project_id = :projectId AND w.id > :afterId AND ${NOT_DELETED}
   ORDER BY w.id LIMIT :limit`,
);
const advance = sql<{ projectId: string; afterId: string; now: number }>(
  'UPDATE auto_destroy_project SET after_id = :afterId, next_at = :now WHERE project_id = :projectId',
);
const delay = sql<{ projectId: string; nextAt: number }>(
  'UPDATE auto_destroy_project SET next_at = :nextAt WHERE project_id = :projectId',
);
const removeProject = sql<{ projectId: string }>('DELETE FROM auto_destroy_project WHERE project_id = :projectId');

/** Notes that the setting of a project changed now. */
export function addProject(tx: Transaction, projectId: string, now: number) {
  return tx.run(putProject, { projectId, now });
}

/** Returns some projects whose workspaces do not have their new time yet. The oldest change or step comes first. */
export async function changedProjects(db: Queries, now: number, limit: number): Promise<string[]> {
  return (await db.all(selectProjects, { now, limit })).map(({ id }) => id);
}

/** Returns whether the workspace does not have the new time of its changed project yet. */
export async function isPending(db: Queries, projectId: string, workspaceId: string): Promise<boolean> {
  return (await db.one(selectPending, { projectId, workspaceId })) !== undefined;
}

/** Returns the next workspaces of a changed project; undefined if another node has finished it. */
export async function nextWorkspaces(tx: Transaction, projectId: string, limit: number): Promise<string[] | undefined> {
  const claimed = await tx.one(claimProject, { projectId });
  if (claimed === undefined) return undefined;
  return (await tx.all(selectWorkspaces, { projectId, afterId: claimed.afterId, limit })).map(({ id }) => id);
}

/** Stores the last workspace that has its new time. Undefined: all have it. */
export function noteProgress(tx: Transaction, projectId: string, afterId: string | undefined, now: number) {
  return afterId === undefined ? tx.run(removeProject, { projectId }) : tx.run(advance, { projectId, afterId, now });
}

/** Makes the next step of a changed project due later. */
export function delayProject(tx: Transaction, projectId: string, nextAt: number) {
  return tx.run(delay, { projectId, nextAt });
}
