import { type ContentColumn, type Queries, sql, type Transaction } from '../../../storage/index.ts';
import { fragment, select } from '../../query/dynamic.ts';

/** Data parsed from a state, in the form in which it is stored. */
export interface ContentRow {
  readonly blobName: string;
  readonly format: number | null;
  readonly encrypted: number;
  readonly engineVersion: string | null;
  readonly resourceCount: number;
  readonly outputCount: number;
  readonly outputs: Uint8Array;
  readonly resources: Uint8Array;
  readonly dependencies: Uint8Array;
  readonly overview: Uint8Array;
  /** Null for a state that is not read, such as an encrypted one. */
  readonly summary: Uint8Array | null;
}

/** One encrypted column, and the key that decrypts it. */
export interface SealedColumn {
  readonly name: string;
  readonly dataKey: Uint8Array;
  readonly sealed: Uint8Array;
}

/** Columns that are encrypted with the content's key. */
export const stateContentColumns: readonly ContentColumn[] = [
  ...['outputs', 'resources', 'dependencies', 'overview', 'summary'],
].map((column) => ({ table: 'state_content', name: 'blob_name', column, purpose: column }));

const insertContentStatement = sql<{ [Column in keyof ContentRow]: ContentRow[Column] }>(
  `INSERT INTO state_content (blob_name, format, encrypted, engine_version, resource_count, output_count, outputs, resources,
     dependencies, overview, summary)
   VALUES (:blobName, :format, :encrypted, :engineVersion, :resourceCount, :outputCount, :outputs, :resources,
     :dependencies, :overview, :summary)
   ON CONFLICT (blob_name) DO NOTHING`,
);

const column = (name: 'outputs' | 'resources' | 'dependencies') =>
  sql<{ name: string }, SealedColumn>(
    `SELECT b.name, b.data_key AS "dataKey", c.${name} AS sealed FROM state_content c JOIN blob b ON b.name = c.blob_name
     WHERE c.blob_name = :name AND c.${name} IS NOT NULL`,
  );
const selectOutputs = column('outputs');
const selectResources = column('resources');
const selectDependencies = column('dependencies');

/** Inserts parsed data. Does nothing if the content was parsed before. */
export function insertContent(tx: Transaction, row: ContentRow) {
  return tx.run(insertContentStatement, { ...row });
}

export function readOutputs(db: Queries, blobName: string) {
  return db.one(selectOutputs, { name: blobName });
}

export function readResources(db: Queries, blobName: string) {
  return db.one(selectResources, { name: blobName });
}

/** Returns the stored dependencies; undefined for a state that was parsed before dependencies were stored. */
export function readDependencies(db: Queries, blobName: string) {
  return db.one(selectDependencies, { name: blobName });
}

/** Returns the overviews of several states in one query. */
export async function readOverviews(db: Queries, blobNames: readonly string[]): Promise<SealedColumn[]> {
  if (blobNames.length === 0) return [];
  return select(
    db,
    fragment<SealedColumn>`select b.name, b.data_key as "dataKey", c.overview as sealed
      from state_content c join blob b on b.name = c.blob_name where c.blob_name in (${fragment.join(blobNames)})`,
  );
}

const selectCurrentOutputs = sql<{ workspaceId: string }, { id: string; count: number }>(
  `SELECT s.id, c.output_count AS count
   FROM workspace w JOIN state_version s ON s.id = w.current_state_version_id
     JOIN state_content c ON c.blob_name = s.state_blob
   WHERE w.id = :workspaceId`,
);

/** Returns the current version of a workspace and its number of outputs. Returns undefined if unknown. */
export function readCurrentOutputs(db: Queries, workspaceId: string) {
  return db.one(selectCurrentOutputs, { workspaceId });
}

/** Returns the number of outputs of each version. Versions without outputs are left out. */
export async function countOutputs(db: Queries, versionIds: readonly string[]): Promise<ReadonlyMap<string, number>> {
  if (versionIds.length === 0) return new Map();
  const rows = await select(
    db,
    fragment<{ id: string; count: number }>`select s.id, c.output_count as count
      from state_version s join state_content c on c.blob_name = s.state_blob
      where s.id in (${fragment.join(versionIds)}) and c.output_count > 0`,
  );
  return new Map(rows.map(({ id, count }) => [id, count]));
}
