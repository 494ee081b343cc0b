import { type Queries, sql, type Transaction } from '../../../storage/index.ts';
import type { Identifier } from '../../jsonapi/document.ts';

type Author = { readonly byType: string; readonly byId: string };
type PartOfWorkspace = 'auto_destroy' | 'retry';

const AUTHOR = 'by_type AS "byType", by_id AS "byId"';
const putOfSchedule = sql<Author & { scheduleId: string }>(
  `INSERT INTO schedule_author (schedule_id, by_type, by_id) VALUES (:scheduleId, :byType, :byId)
   ON CONFLICT (schedule_id) DO UPDATE SET by_type = excluded.by_type, by_id = excluded.by_id`,
);
const putOfWorkspace = sql<Author & { workspaceId: string; part: string }>(
  `INSERT INTO auto_destroy_author (workspace_id, part, by_type, by_id) VALUES (:workspaceId, :part, :byType, :byId)
   ON CONFLICT (workspace_id, part) DO UPDATE SET by_type = excluded.by_type, by_id = excluded.by_id`,
);
const putOfProject = sql<Author & { projectId: string }>(
  `INSERT INTO auto_destroy_project_author (project_id, by_type, by_id) VALUES (:projectId, :byType, :byId)
   ON CONFLICT (project_id) DO UPDATE SET by_type = excluded.by_type, by_id = excluded.by_id`,
);
const removeRetry = sql<{ workspaceId: string }>(
  `DELETE FROM auto_destroy_author WHERE workspace_id = :workspaceId AND part = 'retry'`,
);
const selectOfSchedule = sql<{ scheduleId: string }, Author>(
  `SELECT ${AUTHOR} FROM schedule_author WHERE schedule_id = :scheduleId`,
);
const selectOfWorkspace = sql<{ workspaceId: string; projectId: string }, Author & { part: PartOfWorkspace }>(
  `SELECT part, ${AUTHOR} FROM auto_destroy_author WHERE workspace_id = :workspaceId
   UNION ALL SELECT 'auto_destroy', ${AUTHOR} FROM auto_destroy_project_author WHERE project_id = :projectId`,
);

const columnsOf = ({ type, id }: Identifier): Author => ({ byType: type, byId: id });
const identifierOf = ({ byType, byId }: Author): Identifier => ({ type: byType, id: byId });

/** Stores who changed a schedule last. */
export function setScheduleAuthor(tx: Transaction, scheduleId: string, by: Identifier) {
  return tx.run(putOfSchedule, { scheduleId, ...columnsOf(by) });
}

/** Returns who changed a schedule last; undefined for a schedule from before this was stored. */
export async function scheduleAuthor(db: Queries, scheduleId: string): Promise<Identifier | undefined> {
  const row = await db.one(selectOfSchedule, { scheduleId });
  return row && identifierOf(row);
}

/** Stores who changed the auto-destroy setting of a workspace last. Earlier retries belong to the earlier setting. */
export async function setAutoDestroyAuthor(tx: Transaction, workspaceId: string, by: Identifier): Promise<void> {
  await tx.run(putOfWorkspace, { workspaceId, part: 'auto_destroy', ...columnsOf(by) });
  await tx.run(removeRetry, { workspaceId });
}

/** Stores who retried a failed automatic destroy run last. */
export function setAutoDestroyRetrier(tx: Transaction, workspaceId: string, by: Identifier) {
  return tx.run(putOfWorkspace, { workspaceId, part: 'retry', ...columnsOf(by) });
}

/** Deletes who retried a run, because the workspace is destroyed: its next run is of the setting alone. */
export function removeAutoDestroyRetrier(tx: Transaction, workspaceId: string) {
  return tx.run(removeRetry, { workspaceId });
}

/** Stores who changed the auto-destroy setting of a project last. */
export function setAutoDestroyAuthorOfProject(tx: Transaction, projectId: string, by: Identifier) {
  return tx.run(putOfProject, { projectId, ...columnsOf(by) });
}

/**
 * Returns who changed the setting that destroys a workspace, and who retried it.
 * @param projectId project whose setting holds; null if the workspace has its own
 */
export async function autoDestroyAuthors(
  db: Queries,
  workspaceId: string,
  projectId: string | null,
): Promise<{ readonly part: PartOfWorkspace; readonly by: Identifier }[]> {
  const rows = await db.all(selectOfWorkspace, { workspaceId, projectId: projectId ?? '' });
  return rows.map(({ part, ...author }) => ({ part, by: identifierOf(author) }));
}
