import { type Queries, sql } from '../../../storage/index.ts';
import type { Page, Slice } from '../../jsonapi/pagination.ts';
import { fragment, selectSlice } from '../../query/dynamic.ts';
import { nameOfDeleted } from '../model/row.ts';

/** A deleted workspace that can still be restored. */
export interface RecoverableItem {
  readonly id: string;
  readonly organizationId: string;
  readonly organizationName: string;
  readonly workspaceId: string;
  /** Name of the workspace when it was deleted. */
  readonly name: string;
  readonly projectId: string;
  readonly deletedByType: string;
  readonly deletedById: string;
  readonly deletedAt: number;
  readonly expiresAt: number;
  /** 1 while the workspace is being purged. */
  readonly purging: number;
  /** Number of resources that its last state manages. */
  readonly resourceCount: number;
}

const COLUMNS = `i.id, i.organization_id AS "organizationId", o.name AS "organizationName",
  i.workspace_id AS "workspaceId", i.name, i.project_id AS "projectId", i.deleted_by_type AS "deletedByType",
  i.deleted_by_id AS "deletedById", i.deleted_at AS "deletedAt", i.expires_at AS "expiresAt", i.purging,
  COALESCE(w.resource_count, 0) AS "resourceCount"`;
const FROM = `recoverable_item i JOIN organization o ON o.id = i.organization_id
  LEFT JOIN workspace w ON w.id = i.workspace_id`;

const selectById = sql<{ id: string }, RecoverableItem>(`SELECT ${COLUMNS} FROM ${FROM} WHERE i.id = :id`);
const insertItem = sql<Record<string, string | number>>(
  `INSERT INTO recoverable_item (id, organization_id, workspace_id, name, project_id, kept, deleted_by_type,
     deleted_by_id, deleted_at, expires_at, purging)
   VALUES (:id, :organizationId, :workspaceId, :name, :projectId, :kept, :deletedByType,
     :deletedById, :deletedAt, :expiresAt, :purging)`,
);
const takeItem = sql<{ id: string; now: number }, { kept: string }>(
  'DELETE FROM recoverable_item WHERE id = :id AND purging = 0 AND expires_at > :now RETURNING kept',
);
const condemnItem = sql<{ id: string; now: number }>(
  'UPDATE recoverable_item SET purging = 1, expires_at = :now WHERE id = :id AND purging = 0',
);
const condemnWorkspace = sql<{ workspaceId: string }, { workspaceId: string }>(
  'UPDATE recoverable_item SET purging = 1 WHERE workspace_id = :workspaceId RETURNING workspace_id AS "workspaceId"',
);
const selectDue = sql<{ now: number; limit: number }, { workspaceId: string }>(
  `SELECT workspace_id AS "workspaceId" FROM recoverable_item WHERE expires_at <= :now
   ORDER BY expires_at LIMIT :limit`,
);

// Moves the row to the default project, which lives as long as the organization. Any other project may be deleted
// in the meantime.
const setAsideRow = sql<{ id: string; name: string; now: number }>(
  `UPDATE workspace SET name = :name, updated_at = :now, project_id =
     (SELECT default_project_id FROM organization o WHERE o.id = workspace.organization_id)
   WHERE id = :id`,
);
const bringBackRow = sql<{ id: string; name: string; projectId: string; now: number }, { projectId: string }>(
  `UPDATE workspace SET name = :name, updated_at = :now, version = version + 1, project_id = COALESCE(
     (SELECT p.id FROM project p WHERE p.id = :projectId AND p.organization_id = workspace.organization_id), project_id)
   WHERE id = :id RETURNING project_id AS "projectId"`,
);
const removeRow = sql<{ id: string }>('DELETE FROM workspace WHERE id = :id');

/** Returns one deleted workspace, or undefined if there is none. */
export function findRecoverable(db: Queries, id: string) {
  return db.one(selectById, { id });
}

/** Returns the deleted workspaces of an organization that are not being purged, newest first. */
export function listRecoverable(
  db: Queries,
  organizationId: string,
  now: number,
  page: Page,
): Promise<Slice<RecoverableItem>> {
  const where = [
    fragment`i.organization_id = ${organizationId}`,
    fragment`i.purging = 0`,
    fragment`i.expires_at > ${now}`,
  ];
  const query = { columns: COLUMNS, from: FROM, where, orderBy: 'i.deleted_at DESC, i.id DESC' };
  return selectSlice<RecoverableItem>(db, query, page);
}

/**
 * Marks a workspace as deleted: its row stays under a name that no workspace can have. `kept` holds the data by which
 * its dependents are restored.
 */
export async function insertRecoverable(
  db: Queries,
  item: Omit<RecoverableItem, 'organizationName' | 'resourceCount'>,
  kept: Readonly<Record<string, unknown>>,
): Promise<void> {
  await db.run(insertItem, { ...item, kept: JSON.stringify(kept) });
  await db.run(setAsideRow, { id: item.workspaceId, name: nameOfDeleted(item.workspaceId), now: item.deletedAt });
}

/**
 * Restores the row, in its former project or, if that is gone, in the default project. Returns the stored data and the
 * project; undefined if the restore period is over.
 * @throws UniqueViolation when another workspace has the name
 */
export async function takeRecoverable(db: Queries, item: RecoverableItem, now: number) {
  const taken = await db.one(takeItem, { id: item.id, now });
  const { workspaceId: id, name, projectId } = item;
  const row = taken && (await db.one(bringBackRow, { id, name, projectId, now }));
  return row && { projectId: row.projectId, kept: JSON.parse(taken.kept) as Readonly<Record<string, unknown>> };
}

/**
 * Marks a deleted workspace for purging, after which it cannot be restored. Returns the number of rows: 0 if it was
 * marked already.
 */
export function markForPurge(db: Queries, id: string, now: number) {
  return db.run(condemnItem, { id, now });
}

/** Returns at most `limit` workspaces that are due for purging. */
export async function duePurges(db: Queries, now: number, limit: number): Promise<string[]> {
  return (await db.all(selectDue, { now, limit })).map(({ workspaceId }) => workspaceId);
}

/** Marks an expired workspace for purging. Returns false if it is gone or was restored. */
export async function listMarkedForPurge(db: Queries, workspaceId: string): Promise<boolean> {
  return (await db.one(condemnWorkspace, { workspaceId })) !== undefined;
}

/** Deletes the row of a workspace and all rows that refer to it. */
export function removeRecoverable(db: Queries, workspaceId: string) {
  return db.run(removeRow, { id: workspaceId });
}
