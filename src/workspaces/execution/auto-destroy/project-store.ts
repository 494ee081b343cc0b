import { type Queries, sql, type Transaction } from '../../../storage/index.ts';
import { NOT_DELETED } from '../../workspace/index.ts';

const putProject = sql<{ projectId: string }>(
  `INSERT INTO auto_destroy_project (project_id, after_id) VALUES (:projectId, '')
   ON CONFLICT (project_id) DO UPDATE SET after_id = ''`,
);
const selectProjects = sql<{ limit: number }, { id: string }>(
  'SELECT project_id AS id FROM auto_destroy_project ORDER BY project_id LIMIT :limit',
);
// Locks the row, so that one node takes each step.
const claimProject = sql<{ projectId: string }, { afterId: string }>(
  `UPDATE auto_destroy_project SET after_id = after_id WHERE project_id = :projectId RETURNING after_id AS "afterId"`,
);
const selectWorkspaces = sql<{ projectId: string; afterId: string; limit: number }, { id: string }>(
  `SELECT w.id FROM workspace w WHERE w.project_id = :projectId AND w.id > :afterId AND ${NOT_DELETED}
   ORDER BY w.id LIMIT :limit`,
);
const advance = sql<{ projectId: string; afterId: string }>(
  'UPDATE auto_destroy_project SET after_id = :afterId WHERE project_id = :projectId',
);
const removeProject = sql<{ projectId: string }>('DELETE FROM auto_destroy_project WHERE project_id = :projectId');

/** Notes that the setting of a project changed. */
export function addProject(tx: Transaction, projectId: string) {
  return tx.run(putProject, { projectId });
}

/** Returns some projects whose workspaces do not have their new time yet. */
export async function changedProjects(db: Queries, limit: number): Promise<string[]> {
  return (await db.all(selectProjects, { limit })).map(({ id }) => id);
}

/** Returns the next workspaces of a changed project; undefined if another node has finished it. */
export async function nextWorkspaces(tx: Transaction, projectId: string, limit: number): Promise<string[] | undefined> {
  const claimed = await tx.one(claimProject, { projectId });
  if (claimed === undefined) return undefined;
  return (await tx.all(selectWorkspaces, { projectId, afterId: claimed.afterId, limit })).map(({ id }) => id);
}

/** Stores the last workspace that has its new time. Undefined: all have it. */
export function noteProgress(tx: Transaction, projectId: string, afterId: string | undefined) {
  return afterId === undefined ? tx.run(removeProject, { projectId }) : tx.run(advance, { projectId, afterId });
}
