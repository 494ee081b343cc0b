import { type Queries, sql } from '../../storage/index.ts';
import type { Identifier } from '../jsonapi/document.ts';
import {
  DEFAULT_SETTINGS,
  type ExecutionMode,
  type Lock,
  type Settings,
  type Workspace,
  type WorkspaceRef,
} from './workspace.ts';

/** A row of COLUMNS. */
export interface WorkspaceRow {
  readonly id: string;
  readonly name: string;
  readonly organizationId: string;
  readonly organizationName: string;
  readonly projectId: string;
  readonly settings: string;
  readonly lockHolderType: string | null;
  readonly lockHolderId: string | null;
  readonly lockReason: string | null;
  /** Joined with commas, which no tag contains. */
  readonly tagNames: string | null;
  readonly resourceCount: number;
  readonly version: number;
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly latestChangeAt: number;
  readonly defaultExecutionMode: ExecutionMode;
  readonly allowsForceDelete: number;
}

/** All that a document shows, in one row. */
export const COLUMNS = `w.id, w.name, w.organization_id AS "organizationId", o.name AS "organizationName",
  w.project_id AS "projectId", w.settings, w.lock_holder_type AS "lockHolderType",
  w.lock_holder_id AS "lockHolderId", w.lock_reason AS "lockReason",
  (SELECT string_agg(t.name, ',' ORDER BY t.name) FROM workspace_tag l JOIN tag t ON t.id = l.tag_id
    WHERE l.workspace_id = w.id) AS "tagNames",
  w.resource_count AS "resourceCount", w.version, w.created_at AS "createdAt", w.updated_at AS "updatedAt",
  w.latest_change_at AS "latestChangeAt", o.default_execution_mode AS "defaultExecutionMode",
  o.allow_force_delete_workspaces AS "allowsForceDelete"`;

const FROM = 'workspace w JOIN organization o ON o.id = w.organization_id';

const selectById = sql<{ id: string }, WorkspaceRow>(`SELECT ${COLUMNS} FROM ${FROM} WHERE w.id = :id`);
const selectByName = sql<{ organization: string; name: string }, WorkspaceRow>(
  `SELECT ${COLUMNS} FROM ${FROM} WHERE o.name = :organization AND w.name = :name`,
);

const insertWorkspace = sql<{
  id: string;
  organizationId: string;
  projectId: string;
  name: string;
  settings: string;
  now: number;
}>(
  `INSERT INTO workspace (id, organization_id, project_id, name, settings, resource_count, version,
     created_at, updated_at, latest_change_at)
   VALUES (:id, :organizationId, :projectId, :name, :settings, 0, 1, :now, :now, :now)`,
);

interface ClaimedRow {
  readonly name: string;
  readonly projectId: string;
  readonly settings: string;
  readonly locked: number;
  readonly resourceCount: number;
  readonly latestChangeAt: number;
}
const claimWorkspace = sql<{ id: string }, ClaimedRow>(
  `UPDATE workspace SET version = version + 1 WHERE id = :id
   RETURNING name, project_id AS "projectId", settings, CASE WHEN lock_holder_id IS NULL THEN 0 ELSE 1 END AS locked,
     resource_count AS "resourceCount", latest_change_at AS "latestChangeAt"`,
);
const updateWorkspace = sql<{ id: string; projectId: string; name: string; settings: string; now: number }>(
  `UPDATE workspace SET project_id = :projectId, name = :name, settings = :settings, updated_at = :now WHERE id = :id`,
);
const touchWorkspace = sql<{ id: string; now: number }, { name: string }>(
  'UPDATE workspace SET version = version + 1, updated_at = :now WHERE id = :id RETURNING name',
);
const removeWorkspace = sql<{ id: string }>('DELETE FROM workspace WHERE id = :id');

const LOCK_COLUMNS = 'lock_holder_type = :type, lock_holder_id = :holderId, lock_reason = :reason';
const UNLOCKED = 'lock_holder_type = NULL, lock_holder_id = NULL, lock_reason = NULL';
const lockWorkspace = sql<{ id: string; type: string; holderId: string; reason: string }, { id: string }>(
  `UPDATE workspace SET ${LOCK_COLUMNS}, version = version + 1
   WHERE id = :id AND lock_holder_id IS NULL RETURNING id`,
);
const unlockWorkspace = sql<{ id: string; type: string; holderId: string }, { id: string }>(
  `UPDATE workspace SET ${UNLOCKED}, version = version + 1
   WHERE id = :id AND lock_holder_type = :type AND lock_holder_id = :holderId RETURNING id`,
);
const forceUnlockWorkspace = sql<{ id: string }, { id: string }>(
  `UPDATE workspace SET ${UNLOCKED}, version = version + 1 WHERE id = :id AND lock_holder_id IS NOT NULL RETURNING id`,
);

/** A setting that is newer than the row has its default. */
function parseSettings(json: string): Settings {
  return { ...DEFAULT_SETTINGS, ...(JSON.parse(json) as Partial<Settings>) };
}

function lockOf({ lockHolderType: type, lockHolderId: id, lockReason }: WorkspaceRow): Lock | null {
  return type === null || id === null ? null : { holder: { type, id }, reason: lockReason ?? '' };
}

/** A row as the domain knows it. */
export function workspaceOf(row: WorkspaceRow): Workspace {
  const { lockHolderType, lockHolderId, lockReason, ...rest } = row;
  return {
    ...rest,
    settings: parseSettings(row.settings),
    lock: lockOf(row),
    tagNames: row.tagNames === null ? [] : row.tagNames.split(','),
    allowsForceDelete: row.allowsForceDelete === 1,
  };
}

/** Undefined when there is none. One query, by id or by names. */
export async function find(db: Queries, ref: WorkspaceRef): Promise<Workspace | undefined> {
  const row = await ('id' in ref ? db.one(selectById, { id: ref.id }) : db.one(selectByName, { ...ref }));
  return row && workspaceOf(row);
}

/** What is stored of a workspace by whoever makes or changes it. */
export interface NewWorkspace {
  readonly id: string;
  readonly organizationId: string;
  readonly projectId: string;
  readonly name: string;
  readonly settings: Settings;
}

/** @throws UniqueViolation when the organization has a workspace of that name */
export function insert(db: Queries, workspace: NewWorkspace, now: number) {
  return db.run(insertWorkspace, { ...workspace, settings: JSON.stringify(workspace.settings), now });
}

/** What a change of a workspace depends on. */
export interface Claimed extends Omit<ClaimedRow, 'settings' | 'locked'> {
  readonly settings: Settings;
  readonly locked: boolean;
}

/** Locks the row for the rest of the unit of work, and reads what a change depends on. Undefined when it is gone. */
export async function claim(db: Queries, id: string): Promise<Claimed | undefined> {
  const row = await db.one(claimWorkspace, { id });
  return row && { ...row, locked: row.locked === 1, settings: parseSettings(row.settings) };
}

/** After `claim`. */
export function update(db: Queries, workspace: Omit<NewWorkspace, 'organizationId'>, now: number) {
  return db.run(updateWorkspace, { ...workspace, settings: JSON.stringify(workspace.settings), now });
}

/** Locks the row while what belongs to the workspace changes. Undefined when it is gone. */
export function touch(db: Queries, id: string, now: number) {
  return db.one(touchWorkspace, { id, now });
}

/** The number of rows. Links and bindings go with it; the counters of its tags are `detachAll`'s. */
export function remove(db: Queries, id: string) {
  return db.run(removeWorkspace, { id });
}

/** Undefined when somebody holds the lock already. */
export function lock(db: Queries, id: string, holder: Identifier, reason: string) {
  return db.one(lockWorkspace, { id, type: holder.type, holderId: holder.id, reason });
}

/** Undefined when the holder does not hold it. */
export function unlock(db: Queries, id: string, holder: Identifier) {
  return db.one(unlockWorkspace, { id, type: holder.type, holderId: holder.id });
}

/** Undefined when nobody holds it. */
export function forceUnlock(db: Queries, id: string) {
  return db.one(forceUnlockWorkspace, { id });
}
