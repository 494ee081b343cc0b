import { type Queries, sql } from '../../../storage/index.ts';
import type { Page, Slice } from '../../jsonapi/pagination.ts';
import { fragment, selectSlice } from '../../query/dynamic.ts';
import { nameOfDeleted } from '../model/row.ts';

/** A deleted workspace that can still come back. */
export interface RecoverableItem {
  readonly id: string;
  readonly organizationId: string;
  readonly organizationName: string;
  readonly workspaceId: string;
  /** Of the workspace, when it was deleted. */
  readonly name: string;
  readonly projectId: string;
  readonly deletedByType: string;
  readonly deletedById: string;
  readonly deletedAt: number;
  readonly expiresAt: number;
  /** 1 when it is being removed for good. */
  readonly purging: number;
  /** Resources that its last state manages. */
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

// The default project stays as long as the organization does: any other may be deleted meanwhile.
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

/** Undefined when there is none. */
export function findRecoverable(db: Queries, id: string) {
  return db.one(selectById, { id });
}

/** Those of an organization that are not being removed, the newest first. */
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

/** The row of the workspace stays, under a name that is nobody's. `kept` is what its dependents need to come back. */
export async function insertRecoverable(
  db: Queries,
  item: Omit<RecoverableItem, 'organizationName' | 'resourceCount'>,
  kept: Readonly<Record<string, unknown>>,
): Promise<void> {
  await db.run(insertItem, { ...item, kept: JSON.stringify(kept) });
  await db.run(setAsideRow, { id: item.workspaceId, name: nameOfDeleted(item.workspaceId), now: item.deletedAt });
}

/**
 * What was kept and the project that it is in now: the one it was in, or the default when that is gone. Undefined when
 * it is too late.
 * @throws UniqueViolation when somebody has its name
 */
export async function takeRecoverable(db: Queries, item: RecoverableItem, now: number) {
  const taken = await db.one(takeItem, { id: item.id, now });
  const { workspaceId: id, name, projectId } = item;
  const row = taken && (await db.one(bringBackRow, { id, name, projectId, now }));
  return row && { projectId: row.projectId, kept: JSON.parse(taken.kept) as Readonly<Record<string, unknown>> };
}

/** From now on it does not come back. The number of rows: none when it does not already. */
export function markForPurge(db: Queries, id: string, now: number) {
  return db.run(condemnItem, { id, now });
}

/** Workspaces to be removed for good, at most `limit`. */
export async function duePurges(db: Queries, now: number, limit: number): Promise<string[]> {
  return (await db.all(selectDue, { now, limit })).map(({ workspaceId }) => workspaceId);
}

/** The same of one whose time is over. False when it is gone, or came back. */
export async function listMarkedForPurge(db: Queries, workspaceId: string): Promise<boolean> {
  return (await db.one(condemnWorkspace, { workspaceId })) !== undefined;
}

/** With all rows that refer to it. */
export function removeRecoverable(db: Queries, workspaceId: string) {
  return db.run(removeRow, { id: workspaceId });
}
