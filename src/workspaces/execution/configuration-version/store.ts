import { type Queries, sql } from '../../../storage/index.ts';
import type { Page, Slice } from '../../jsonapi/pagination.ts';
import { fragment, isOneOf, select, selectSlice } from '../../query/dynamic.ts';
import type { ConfigurationVersion } from './configuration-version.ts';

type Flags = 'autoQueueRuns' | 'speculative' | 'provisional' | 'untrusted';
interface Row extends Omit<ConfigurationVersion, Flags | 'timestamps' | 'createdBy'> {
  readonly autoQueueRuns: number;
  readonly speculative: number;
  readonly provisional: number;
  readonly untrusted: number;
  readonly timestamps: string;
  readonly createdByType: string;
  readonly createdById: string;
}

const COLUMNS = `id, workspace_id AS "workspaceId", source, status, auto_queue_runs AS "autoQueueRuns", speculative,
  provisional, untrusted, error, error_message AS "errorMessage", timestamps, blob_name AS "blobName", size, backing,
  ingress_id AS "ingressId", created_by_type AS "createdByType", created_by_id AS "createdById", created_at AS "createdAt"`;

const selectById = sql<{ id: string }, Row>(`SELECT ${COLUMNS} FROM configuration_version WHERE id = :id`);
const claimById = sql<{ id: string }, Row>(
  `UPDATE configuration_version SET size = size WHERE id = :id RETURNING ${COLUMNS}`,
);
// The newest version that can be applied. A provisional version counts only while it is the workspace's current one.
const selectUsable = sql<{ workspaceId: string }, Row>(
  `SELECT ${COLUMNS} FROM configuration_version c
   WHERE c.workspace_id = :workspaceId AND c.status = 'uploaded' AND c.speculative = 0 AND c.backing = 'kept' AND (c.provisional = 0
     OR c.id = (SELECT w.current_configuration_version_id FROM workspace w WHERE w.id = c.workspace_id))
   ORDER BY c.created_at DESC, c.id DESC LIMIT 1`,
);
const selectCurrent = sql<{ id: string; workspaceId: string }, { id: string }>(
  'SELECT id FROM workspace WHERE id = :workspaceId AND current_configuration_version_id = :id',
);
const insertVersion = sql<Record<keyof Row, Row[keyof Row]>>(
  `INSERT INTO configuration_version (id, workspace_id, source, status, auto_queue_runs, speculative, provisional,
     untrusted, error, error_message, timestamps, blob_name, size, backing, ingress_id, created_by_type, created_by_id,
     created_at)
   VALUES (:id, :workspaceId, :source, :status, :autoQueueRuns, :speculative, :provisional,
     :untrusted, :error, :errorMessage, :timestamps, :blobName, :size, :backing, :ingressId, :createdByType, :createdById, :createdAt)`,
);
const updateVersion = sql<{
  id: string;
  source: string;
  ingressId: string | null;
  status: string;
  error: string | null;
  errorMessage: string | null;
  timestamps: string;
  blobName: string | null;
  size: number;
  backing: string;
}>(
  `UPDATE configuration_version SET source = :source, ingress_id = :ingressId, status = :status, error = :error, error_message = :errorMessage, timestamps = :timestamps, blob_name = :blobName, size = :size,
     backing = :backing WHERE id = :id`,
);

function versionOf({ createdByType: type, createdById: id, ...row }: Row): ConfigurationVersion {
  return {
    ...row,
    autoQueueRuns: row.autoQueueRuns === 1,
    speculative: row.speculative === 1,
    provisional: row.provisional === 1,
    untrusted: row.untrusted === 1,
    timestamps: JSON.parse(row.timestamps) as ConfigurationVersion['timestamps'],
    createdBy: { type, id },
  };
}

/** Finds a configuration version. Returns undefined if there is none. */
export async function findConfigurationVersion(db: Queries, id: string): Promise<ConfigurationVersion | undefined> {
  const row = await db.one(selectById, { id });
  return row && versionOf(row);
}

/** Locks the row until the transaction ends. Returns undefined if it was deleted. */
export async function claimConfigurationVersion(db: Queries, id: string): Promise<ConfigurationVersion | undefined> {
  const row = await db.one(claimById, { id });
  return row && versionOf(row);
}

/** Returns the versions with these ids. */
export async function findConfigurationVersions(db: Queries, ids: readonly string[]): Promise<ConfigurationVersion[]> {
  if (ids.length === 0) return [];
  const query = fragment<Row>`select ${fragment.raw(COLUMNS)} from configuration_version where ${isOneOf('id', ids)}`;
  return (await select(db, query)).map(versionOf);
}

/** Returns the version for a run that names none. */
export async function usableConfigurationVersion(
  db: Queries,
  workspaceId: string,
): Promise<ConfigurationVersion | undefined> {
  const row = await db.one(selectUsable, { workspaceId });
  return row && versionOf(row);
}

/** Returns whether it is the workspace's current version. */
export async function isCurrentConfigurationVersion(
  db: Queries,
  { id, workspaceId }: ConfigurationVersion,
): Promise<boolean> {
  return (await db.one(selectCurrent, { id, workspaceId })) !== undefined;
}

/** Returns the versions, newest first. */
export async function listConfigurationVersions(
  db: Queries,
  workspaceId: string,
  page: Page,
): Promise<Slice<ConfigurationVersion>> {
  const where = [fragment`workspace_id = ${workspaceId}`];
  const query = { columns: COLUMNS, from: 'configuration_version', where, orderBy: 'created_at desc, id desc' };
  const { items, total } = await selectSlice<Row>(db, query, page);
  return { items: items.map(versionOf), total };
}

export function insertConfigurationVersion(db: Queries, { createdBy, ...version }: ConfigurationVersion) {
  return db.run(insertVersion, {
    ...version,
    autoQueueRuns: Number(version.autoQueueRuns),
    speculative: Number(version.speculative),
    provisional: Number(version.provisional),
    untrusted: Number(version.untrusted),
    timestamps: JSON.stringify(version.timestamps),
    createdByType: createdBy.type,
    createdById: createdBy.id,
  });
}

/** Updates a configuration version. Call `claimConfigurationVersion` first. */
export function updateConfigurationVersion(db: Queries, { timestamps, ...version }: ConfigurationVersion) {
  const { id, source, ingressId, status, error, errorMessage, blobName, size, backing } = version;
  const changed = { id, source, ingressId, status, error, errorMessage, blobName, size, backing };
  return db.run(updateVersion, { ...changed, timestamps: JSON.stringify(timestamps) });
}
