import { type Database, type Queries, sql, step, type Transaction } from '../../../storage/index.ts';
import type { Identifier } from '../../jsonapi/document.ts';
import type { Page, Slice } from '../../jsonapi/pagination.ts';
import { fragment, selectSlice } from '../../query/dynamic.ts';
import { NOT_DELETED } from '../model/row.ts';

/** The party that locks or unlocks: the principal that owns the lock, and its name at the time. */
export interface Party extends Identifier {
  /** Name of a user or a machine; empty if there is none. */
  readonly name: string;
}

/** One entry of the lock history. */
export interface LockEvent {
  readonly id: string;
  readonly workspaceId: string;
  readonly holderType: string;
  readonly holderId: string;
  readonly holderName: string;
  readonly reason: string;
  readonly lockedAt: number;
  /** Time of the unlock; null while the workspace is locked, as are the next three members. */
  readonly unlockedAt: number | null;
  readonly unlockerType: string | null;
  readonly unlockerId: string | null;
  readonly unlockerName: string | null;
  /** 1 if another party broke the lock. */
  readonly forced: number;
}

const COLUMNS = `e.id, e.workspace_id AS "workspaceId", e.holder_type AS "holderType", e.holder_id AS "holderId",
  e.holder_name AS "holderName", e.reason, e.locked_at AS "lockedAt", e.unlocked_at AS "unlockedAt",
  e.unlocker_type AS "unlockerType", e.unlocker_id AS "unlockerId", e.unlocker_name AS "unlockerName", e.forced`;

interface Versioned {
  readonly version: number;
}
type Locked = { id: string; type: string; holderId: string; name: string; reason: string; now: number };
const lockWorkspaceStatement = sql<Locked, Versioned>(
  `UPDATE workspace AS w SET lock_holder_type = :type, lock_holder_id = :holderId, lock_reason = :reason,
     lock_holder_name = :name, locked_at = :now, version = version + 1
   WHERE w.id = :id AND w.lock_holder_id IS NULL AND ${NOT_DELETED} RETURNING version`,
);
const UNLOCKED = `lock_holder_type = NULL, lock_holder_id = NULL, lock_reason = NULL, lock_holder_name = NULL,
  locked_at = NULL, version = version + 1`;
const UNLOCK = `UPDATE workspace SET ${UNLOCKED}
  WHERE id = :id AND lock_holder_type = :type AND lock_holder_id = :holderId`;
type Unlocked = { id: string; type: string; holderId: string };
const unlockWorkspaceStatement = sql<Unlocked, Versioned>(`${UNLOCK} RETURNING version`);
const forceUnlockWorkspaceStatement = sql<{ id: string }, { id: string }>(
  `UPDATE workspace SET ${UNLOCKED} WHERE id = :id AND lock_holder_id IS NOT NULL RETURNING id`,
);
const selectFree = sql<{ id: string }, { id: string }>(
  'SELECT id FROM workspace WHERE id = :id AND lock_holder_id IS NULL',
);
// Inserts the event after the attempt to lock. If the attempt failed, an event of another holder or an older one of
// this holder is still open.
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
   SELECT :id, id, lock_holder_type, lock_holder_id, :name, :reason, CAST(:now AS BIGINT), 0 FROM workspace
   WHERE id = :workspaceId AND lock_holder_type = :type AND lock_holder_id = :holderId
   ON CONFLICT (workspace_id) WHERE unlocked_at IS NULL DO NOTHING`,
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
   WHERE workspace_id = :workspaceId AND unlocked_at IS NULL
     AND EXISTS (SELECT 1 FROM workspace w WHERE w.id = :workspaceId AND w.lock_holder_id IS NULL)`,
);
const removeOld = sql<{ before: number; limit: number }>(
  `DELETE FROM lock_event WHERE id IN
     (SELECT id FROM lock_event WHERE unlocked_at < :before ORDER BY unlocked_at LIMIT :limit)`,
);

/** Locks the workspace and adds an entry to the lock history. */
function lockSteps(workspaceId: string, holder: Party, reason: string, event: Moment) {
  const { type, id: holderId, name } = holder;
  return [
    step(lockWorkspaceStatement, { id: workspaceId, type, holderId, name, reason, now: event.now }),
    step(insertEvent, { ...event, workspaceId, type, holderId, name, reason }),
  ] as const;
}

/** Locks with one conditional UPDATE. Returns the new version; undefined if the workspace is already locked. */
export async function lockWorkspace(db: Database, workspaceId: string, holder: Party, reason: string, event: Moment) {
  const [[locked]] = await db.batch(lockSteps(workspaceId, holder, reason, event));
  return locked?.version;
}

/** Locks within the caller's transaction. Returns false if the workspace is already locked. */
export async function lockWorkspaceIn(
  tx: Transaction,
  workspaceId: string,
  holder: Party,
  reason: string,
  event: Moment,
) {
  const [update, insert] = lockSteps(workspaceId, holder, reason, event);
  const [locked] = await tx.all(update.statement, update.params);
  if (locked !== undefined) await tx.run(insert.statement, insert.params);
  return locked !== undefined;
}

/** Time of an event, and the id for its entry. */
export interface Moment {
  readonly id: string;
  readonly now: number;
}

/** Unlocks for the holder. Returns false if it does not hold the lock. */
export async function unlockWorkspace(db: Queries, workspaceId: string, holder: Party, now: number): Promise<boolean> {
  const { type, id } = holder;
  const unlocked = await db.one(unlockWorkspaceStatement, { id: workspaceId, type, holderId: id });
  if (unlocked === undefined) return false;
  await end(db, workspaceId, holder, now, false);
  return true;
}

/**
 * Unlocks if `conditions` of `workspace` hold, that is if no other module has work to do. Returns the new version;
 * undefined if a condition fails or the holder does not hold the lock.
 */
export function unlockWithoutEvent(conditions: readonly string[]) {
  const statement = sql<Unlocked, Versioned>(`${[UNLOCK, ...conditions].join(' AND ')} RETURNING version`);
  return async (db: Database, workspaceId: string, holder: Party, now: number): Promise<number | undefined> => {
    const { type, id: holderId } = holder;
    const unlocking = step(statement, { id: workspaceId, type, holderId });
    const [[unlocked]] = await db.batch([unlocking, step(endEvent, ending(workspaceId, holder, now, false))]);
    return unlocked?.version;
  };
}

/** Returns whether the workspace is unlocked. */
export async function isUnlocked(db: Queries, workspaceId: string): Promise<boolean> {
  return (await db.one(selectFree, { id: workspaceId })) !== undefined;
}

/** Unlocks regardless of the holder. Returns false if the workspace is unlocked. */
export async function forceUnlockWorkspace(db: Queries, workspaceId: string, by: Party, now: number): Promise<boolean> {
  const unlocked = await db.one(forceUnlockWorkspaceStatement, { id: workspaceId });
  if (unlocked === undefined) return false;
  await end(db, workspaceId, by, now, true);
  return true;
}

function end(db: Queries, workspaceId: string, by: Party, now: number, forced: boolean) {
  return db.run(endEvent, ending(workspaceId, by, now, forced));
}

function ending(workspaceId: string, { type, id: unlockerId, name }: Party, now: number, forced: boolean) {
  return { workspaceId, type, unlockerId, name, now, forced: Number(forced) };
}

/** Returns the lock history of a workspace, newest first. */
export function listLockEvents(db: Queries, workspaceId: string, page: Page): Promise<Slice<LockEvent>> {
  const where = [fragment`e.workspace_id = ${workspaceId}`];
  return selectSlice<LockEvent>(db, { columns: COLUMNS, from: 'lock_event e', where, orderBy: 'e.id DESC' }, page);
}

/** Deletes at most `limit` entries of locks that were released before a time. Returns the number of rows. */
export function removeOldLockEvents(db: Queries, before: number, limit: number) {
  return db.run(removeOld, { before, limit });
}
