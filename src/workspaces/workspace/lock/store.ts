import { type Queries, sql } from '../../../storage/index.ts';
import type { Identifier } from '../../jsonapi/document.ts';
import type { Page, Slice } from '../../jsonapi/pagination.ts';
import { fragment, selectSlice } from '../../query/dynamic.ts';
import { THERE } from '../model/row.ts';

/** Whoever locks or unlocks: whom the lock belongs to, and who that was at the time. */
export interface Party extends Identifier {
  /** A user's name, or a machine's; empty where there is none. */
  readonly name: string;
}

/** One time that a workspace was locked. */
export interface LockEvent {
  readonly id: string;
  readonly workspaceId: string;
  readonly holderType: string;
  readonly holderId: string;
  readonly holderName: string;
  readonly reason: string;
  readonly lockedAt: number;
  /** Null, like the three below, as long as it is locked. */
  readonly unlockedAt: number | null;
  readonly unlockerType: string | null;
  readonly unlockerId: string | null;
  readonly unlockerName: string | null;
  /** 1 when somebody broke the lock of another. */
  readonly forced: number;
}

const COLUMNS = `e.id, e.workspace_id AS "workspaceId", e.holder_type AS "holderType", e.holder_id AS "holderId",
  e.holder_name AS "holderName", e.reason, e.locked_at AS "lockedAt", e.unlocked_at AS "unlockedAt",
  e.unlocker_type AS "unlockerType", e.unlocker_id AS "unlockerId", e.unlocker_name AS "unlockerName", e.forced`;

const lockWorkspace = sql<{ id: string; type: string; holderId: string; reason: string }, { id: string }>(
  `UPDATE workspace AS w SET lock_holder_type = :type, lock_holder_id = :holderId, lock_reason = :reason,
     version = version + 1
   WHERE w.id = :id AND w.lock_holder_id IS NULL AND ${THERE} RETURNING id`,
);
const UNLOCKED = 'lock_holder_type = NULL, lock_holder_id = NULL, lock_reason = NULL, version = version + 1';
const unlockWorkspace = sql<{ id: string; type: string; holderId: string }, { id: string }>(
  `UPDATE workspace SET ${UNLOCKED}
   WHERE id = :id AND lock_holder_type = :type AND lock_holder_id = :holderId RETURNING id`,
);
const forceUnlockWorkspace = sql<{ id: string }, { id: string }>(
  `UPDATE workspace SET ${UNLOCKED} WHERE id = :id AND lock_holder_id IS NOT NULL RETURNING id`,
);
const insertEvent = sql<{
  id: string;
  workspaceId: string;
  type: string;
  holderId: string;
  name: string;
  reason: string;
  now: number;
}>(
  `INSERT INTO lock_event (id, workspace_id, holder_type, holder_id, holder_name, reason, locked_at, forced)
   VALUES (:id, :workspaceId, :type, :holderId, :name, :reason, :now, 0)`,
);
const endEvent = sql<{
  workspaceId: string;
  type: string;
  unlockerId: string;
  name: string;
  now: number;
  forced: number;
}>(
  `UPDATE lock_event SET unlocked_at = :now, unlocker_type = :type, unlocker_id = :unlockerId, unlocker_name = :name,
     forced = :forced
   WHERE workspace_id = :workspaceId AND unlocked_at IS NULL`,
);
const removeOld = sql<{ before: number; limit: number }>(
  `DELETE FROM lock_event WHERE id IN
     (SELECT id FROM lock_event WHERE unlocked_at < :before ORDER BY unlocked_at LIMIT :limit)`,
);

/** False when somebody holds the lock already. One conditional UPDATE decides, whatever the number of nodes. */
export async function lock(db: Queries, workspaceId: string, holder: Party, reason: string, event: Moment) {
  const { type, id: holderId, name } = holder;
  const locked = await db.one(lockWorkspace, { id: workspaceId, type, holderId, reason });
  if (locked === undefined) return false;
  await db.run(insertEvent, { ...event, workspaceId, type, holderId, name, reason });
  return true;
}

/** The time of an event, and the id that it gets. */
export interface Moment {
  readonly id: string;
  readonly now: number;
}

/** False when the holder does not hold it. */
export async function unlock(db: Queries, workspaceId: string, holder: Party, now: number): Promise<boolean> {
  const { type, id } = holder;
  const unlocked = await db.one(unlockWorkspace, { id: workspaceId, type, holderId: id });
  if (unlocked === undefined) return false;
  await end(db, workspaceId, holder, now, false);
  return true;
}

/** Whoever holds it. False when nobody does. */
export async function forceUnlock(db: Queries, workspaceId: string, by: Party, now: number): Promise<boolean> {
  const unlocked = await db.one(forceUnlockWorkspace, { id: workspaceId });
  if (unlocked === undefined) return false;
  await end(db, workspaceId, by, now, true);
  return true;
}

function end(db: Queries, workspaceId: string, by: Party, now: number, forced: boolean) {
  const { type, id: unlockerId, name } = by;
  return db.run(endEvent, { workspaceId, type, unlockerId, name, now, forced: Number(forced) });
}

/** Of a workspace, the newest first. */
export function events(db: Queries, workspaceId: string, page: Page): Promise<Slice<LockEvent>> {
  const where = [fragment`e.workspace_id = ${workspaceId}`];
  return selectSlice<LockEvent>(db, { columns: COLUMNS, from: 'lock_event e', where, orderBy: 'e.id DESC' }, page);
}

/** Removes at most `limit` that ended before a time. The number of rows. */
export function forget(db: Queries, before: number, limit: number) {
  return db.run(removeOld, { before, limit });
}
