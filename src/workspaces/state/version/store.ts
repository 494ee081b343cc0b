import { type Queries, sql, type Transaction } from '../../../storage/index.ts';
import type { Identifier } from '../../jsonapi/document.ts';
import type { Page, Slice } from '../../jsonapi/pagination.ts';
import { fragment, select, selectSlice } from '../../query/dynamic.ts';
import { NOT_DELETED, setCurrentState } from '../../workspace/index.ts';
import type { Kind } from '../reader/readable.ts';
import type { Creator, Lineage, StateStatus, StateVersion } from './state-version.ts';

interface Row extends Omit<StateVersion, 'intermediate' | 'forced' | 'encrypted' | 'creator'> {
  readonly intermediate: number;
  readonly forced: number;
  readonly encrypted: number;
  readonly creator: string;
}

const COLUMNS = `s.id, s.workspace_id AS "workspaceId", s.position, s.status, s.intermediate, s.serial, s.lineage, s.md5,
  s.forced, s.size, s.creator, s.run_id AS "runId", s.rollback_of AS "rollbackOf", s.state_blob AS "stateBlob",
  s.json_blob AS "jsonBlob", s.created_at AS "createdAt", s.deleted_at AS "deletedAt",
  COALESCE(c.output_count, 0) AS "outputCount", COALESCE(c.resource_count, 0) AS "resourceCount", c.format,
  COALESCE(c.encrypted, 0) AS encrypted, c.engine_version AS "engineVersion"`;
const FROM = 'state_version s LEFT JOIN state_content c ON c.blob_name = s.state_blob';

const selectById = sql<{ id: string }, Row>(
  `SELECT ${COLUMNS} FROM ${FROM} JOIN workspace w ON w.id = s.workspace_id WHERE s.id = :id AND ${NOT_DELETED}`,
);
const selectCurrent = sql<{ workspaceId: string }, Row>(
  `SELECT ${COLUMNS} FROM ${FROM}
   WHERE s.id = (SELECT current_state_version_id FROM workspace WHERE id = :workspaceId)`,
);
const selectBefore = sql<{ workspaceId: string; position: number }, Row>(
  `SELECT ${COLUMNS} FROM ${FROM} WHERE s.workspace_id = :workspaceId AND s.status = 'finalized' AND s.position < :position
   ORDER BY s.position DESC LIMIT 1`,
);
const selectOlder = sql<{ workspaceId: string; before: number; keepLatest: number; limit: number }, Row>(
  `SELECT ${COLUMNS} FROM ${FROM}
   WHERE s.workspace_id = :workspaceId AND s.status IN ('finalized', 'backing_data_soft_deleted')
     AND s.created_at < :before
     AND s.position < (SELECT n.position FROM workspace w JOIN state_version n ON n.id = w.current_state_version_id
       WHERE w.id = :workspaceId)
     AND s.position <= (SELECT position FROM state_version WHERE workspace_id = :workspaceId AND status = 'finalized'
       ORDER BY position DESC LIMIT 1 OFFSET :keepLatest)
   ORDER BY s.position LIMIT :limit`,
);
const selectKind = sql<{ workspaceId: string }, { format: number | null; encrypted: number }>(
  `SELECT c.format, c.encrypted FROM workspace w JOIN state_version v ON v.id = w.current_state_version_id
     JOIN state_content c ON c.blob_name = v.state_blob
   WHERE w.id = :workspaceId`,
);
const selectPending = sql<{ workspaceId: string }, { id: string }>(
  `SELECT id FROM state_version WHERE workspace_id = :workspaceId AND status = 'pending' LIMIT 1`,
);
const selectNewest = sql<{ workspaceId: string }, Lineage>(
  `SELECT serial, lineage, md5 FROM state_version WHERE workspace_id = :workspaceId AND status = 'finalized'
   ORDER BY position DESC LIMIT 1`,
);
const selectSnapshot = sql<{ workspaceId: string }, { id: string; intermediate: number }>(
  `SELECT id, intermediate FROM state_version WHERE workspace_id = :workspaceId AND status = 'finalized'
   ORDER BY position DESC LIMIT 1`,
);
const settleSnapshot = sql<{ id: string }>(
  'UPDATE state_version SET intermediate = 0 WHERE id = :id AND intermediate = 1',
);
const selectGivenOutputs = sql<{ id: string }, { sealed: Uint8Array | null }>(
  'SELECT given_outputs AS sealed FROM state_version WHERE id = :id',
);

interface ClaimedRow {
  readonly currentId: string | null;
  readonly holderType: string | null;
  readonly holderId: string | null;
}
const claimWorkspace = sql<{ id: string }, ClaimedRow>(
  `UPDATE workspace SET version = version + 1 WHERE id = :id
   RETURNING current_state_version_id AS "currentId", lock_holder_type AS "holderType", lock_holder_id AS "holderId"`,
);
const selectPosition = sql<{ workspaceId: string }, { position: number }>(
  'SELECT COALESCE(MAX(position), 0) + 1 AS position FROM state_version WHERE workspace_id = :workspaceId',
);
const discardPending = sql<{ workspaceId: string }>(
  `UPDATE state_version SET status = 'discarded', given_outputs = NULL
   WHERE workspace_id = :workspaceId AND status = 'pending'`,
);

/** Columns of a new version. */
export type NewVersion = Pick<
  StateVersion,
  'id' | 'workspaceId' | 'intermediate' | 'serial' | 'lineage' | 'md5' | 'forced' | 'creator' | 'runId' | 'rollbackOf'
> & { readonly givenOutputs: Uint8Array | null; readonly createdAt: number };

const insertVersionStatement = sql<
  Omit<NewVersion, 'intermediate' | 'forced' | 'creator'> & {
    [flag in 'intermediate' | 'forced' | 'position']: number;
  } & { creator: string }
>(
  `INSERT INTO state_version (id, workspace_id, position, status, intermediate, serial, lineage, md5, forced, size, creator,
     run_id, rollback_of, given_outputs, created_at)
   VALUES (:id, :workspaceId, :position, 'pending', :intermediate, :serial, :lineage, :md5, :forced, 0, :creator,
     :runId, :rollbackOf, :givenOutputs, :createdAt)`,
);
const finalizeVersionStatement = sql<{ id: string; size: number; stateBlob: string }>(
  `UPDATE state_version SET status = 'finalized', size = :size, state_blob = :stateBlob, given_outputs = NULL
   WHERE id = :id AND status = 'pending'`,
);
const setJsonBlob = sql<{ id: string; jsonBlob: string }>(
  'UPDATE state_version SET json_blob = :jsonBlob WHERE id = :id AND json_blob IS NULL',
);
const updateStatus = sql<{ id: string; from: string; to: string; deletedAt: number | null }>(
  'UPDATE state_version SET status = :to, deleted_at = :deletedAt WHERE id = :id AND status = :from',
);
const dropBlobs = sql<{ id: string }>('UPDATE state_version SET state_blob = NULL, json_blob = NULL WHERE id = :id');
const selectFigures = sql<{ id: string }, { resourceCount: number; changedAt: number }>(
  `SELECT COALESCE(c.resource_count, 0) AS "resourceCount", s.created_at AS "changedAt" FROM ${FROM} WHERE s.id = :id`,
);

function versionOf({ creator, ...row }: Row): StateVersion {
  return {
    ...row,
    intermediate: row.intermediate === 1,
    forced: row.forced === 1,
    encrypted: row.encrypted === 1,
    creator: JSON.parse(creator) as Creator,
  };
}

/** Finds a version. Returns undefined when there is none, or its workspace was deleted. */
export async function findVersion(db: Queries, id: string): Promise<StateVersion | undefined> {
  const row = await db.one(selectById, { id });
  return row && versionOf(row);
}

/** Returns the current version of a workspace. */
export async function findCurrentVersion(db: Queries, workspaceId: string): Promise<StateVersion | undefined> {
  const row = await db.one(selectCurrent, { workspaceId });
  return row && versionOf(row);
}

/** Returns the finalized version before this one. */
export async function findPreviousVersion(db: Queries, version: StateVersion): Promise<StateVersion | undefined> {
  const { workspaceId, position } = version;
  const row = await db.one(selectBefore, { workspaceId, position });
  return row && versionOf(row);
}

/**
 * Returns versions that a retention policy deletes: created before the given time, not among the newest, and older
 * than the current one.
 */
export async function listOlderVersions(
  db: Queries,
  workspaceId: string,
  before: number,
  keepLatest: number,
  limit: number,
): Promise<StateVersion[]> {
  return (await db.all(selectOlder, { workspaceId, before, keepLatest, limit })).map(versionOf);
}

/** Returns the versions with these ids, in no particular order. */
export async function findVersions(db: Queries, ids: readonly string[]): Promise<StateVersion[]> {
  if (ids.length === 0) return [];
  const columns = fragment.raw(COLUMNS);
  const rows = await select(
    db,
    fragment<Row>`select ${columns} from ${fragment.raw(FROM)} where s.id in (${fragment.join(ids)})`,
  );
  return rows.map(versionOf);
}

/** Returns a page of versions, newest first. */
export async function listVersions(
  db: Queries,
  workspaceId: string,
  status: string | undefined,
  page: Page,
): Promise<Slice<StateVersion>> {
  const where = [fragment`s.workspace_id = ${workspaceId}`];
  if (status !== undefined) where.push(fragment`s.status = ${status}`);
  const slice = await selectSlice<Row>(db, { columns: COLUMNS, from: FROM, where, orderBy: 's.position desc' }, page);
  return { items: slice.items.map(versionOf), total: slice.total };
}

export async function hasPendingVersion(db: Queries, workspaceId: string): Promise<boolean> {
  return (await db.one(selectPending, { workspaceId })) !== undefined;
}

/** Returns the format of the current state; undefined without one. */
export async function currentKind(db: Queries, workspaceId: string): Promise<Kind | undefined> {
  const row = await db.one(selectKind, { workspaceId });
  return row && { format: row.format, encrypted: row.encrypted === 1 };
}

/** Returns the newest finalized version, including snapshots. The next state must follow it. */
export function findNewestVersion(db: Queries, workspaceId: string) {
  return db.one(selectNewest, { workspaceId });
}

/** Returns the snapshot that is newer than every other state; undefined when there is none. */
export async function findNewestSnapshot(db: Queries, workspaceId: string): Promise<string | undefined> {
  const found = await db.one(selectSnapshot, { workspaceId });
  return found?.intermediate === 1 ? found.id : undefined;
}

export async function readGivenOutputs(db: Queries, id: string): Promise<Uint8Array | null> {
  return (await db.one(selectGivenOutputs, { id }))?.sealed ?? null;
}

/** Columns of the workspace that decide about a new state. */
export interface Claimed {
  readonly currentId: string | null;
  readonly holder: Identifier | null;
}

/** Locks the workspace's row for the rest of the transaction. Returns undefined when it is gone. */
export async function claimWorkspaceState(tx: Transaction, workspaceId: string): Promise<Claimed | undefined> {
  const row = await tx.one(claimWorkspace, { id: workspaceId });
  if (row === undefined) return undefined;
  const { currentId, holderType: type, holderId: id } = row;
  return { currentId, holder: type === null || id === null ? null : { type, id } };
}

/** Inserts a pending version and discards an earlier pending one. Call `claimWorkspaceState` first. */
export async function insertVersion(tx: Transaction, version: NewVersion): Promise<void> {
  const { workspaceId } = version;
  await tx.run(discardPending, { workspaceId });
  const next = await tx.one(selectPosition, { workspaceId });
  await tx.run(insertVersionStatement, {
    ...version,
    position: next?.position ?? 1,
    intermediate: Number(version.intermediate),
    forced: Number(version.forced),
    creator: JSON.stringify(version.creator),
  });
}

/** Marks a version as finalized. Returns false if it is no longer pending. */
export async function finalizeVersion(tx: Transaction, id: string, stateBlob: string, size: number): Promise<boolean> {
  return (await tx.run(finalizeVersionStatement, { id, stateBlob, size })) > 0;
}

/** Stores the JSON form of a version. Returns false if it has one already. */
export async function setJsonState(tx: Transaction, id: string, jsonBlob: string): Promise<boolean> {
  return (await tx.run(setJsonBlob, { id, jsonBlob })) > 0;
}

/** Changes the status of a version. Returns false if it was not in the expected status. */
export async function moveVersion(
  tx: Transaction,
  id: string,
  from: StateStatus,
  to: StateStatus,
  deletedAt: number | null,
): Promise<boolean> {
  return (await tx.run(updateStatus, { id, from, to, deletedAt })) > 0;
}

export function forgetBlobs(tx: Transaction, id: string) {
  return tx.run(dropBlobs, { id });
}

/** Updates the workspace's columns about its current state. */
export async function makeVersionCurrent(tx: Transaction, workspaceId: string, id: string): Promise<void> {
  await tx.run(settleSnapshot, { id });
  const figures = await tx.one(selectFigures, { id });
  if (figures) await setCurrentState(tx, workspaceId, { stateVersionId: id, ...figures });
}
