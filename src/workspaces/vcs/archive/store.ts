import { type Queries, sql, type Transaction } from '../../../storage/index.ts';

/** Files of a commit. */
export interface Archive {
  readonly id: string;
  readonly blobName: string;
  /** Remarks as JSON. */
  readonly notes: string;
}

type Key = { readonly repositoryId: string; readonly commitId: string; readonly submodules: number };

const touchStatement = sql<Key & { now: number }, Archive>(
  `UPDATE vcs_archive SET used_at = :now
   WHERE repository_id = :repositoryId AND commit_id = :commitId AND submodules = :submodules
   RETURNING id, blob_name AS "blobName", notes`,
);
const insertStatement = sql<
  Key & { id: string; organizationId: string; blobName: string; size: number; notes: string; now: number },
  { id: string }
>(
  `INSERT INTO vcs_archive (id, organization_id, repository_id, commit_id, submodules, blob_name, size, notes, used_at)
   VALUES (:id, :organizationId, :repositoryId, :commitId, :submodules, :blobName, :size, :notes, :now)
   ON CONFLICT DO NOTHING RETURNING id`,
);
const removeUnused = sql<{ before: number; step: number }>(
  `DELETE FROM vcs_archive WHERE id IN
     (SELECT id FROM vcs_archive WHERE used_at < :before ORDER BY used_at LIMIT :step)`,
);

/** Finds an archive and notes its use. */
export function useArchive(db: Queries, key: Key, now: number): Promise<Archive | undefined> {
  return db.one(touchStatement, { ...key, now });
}

/** Inserts an archive. Returns false if there is one of that commit. */
export async function insertArchive(
  tx: Transaction,
  archive: Key & Archive & { readonly organizationId: string; readonly size: number },
  now: number,
): Promise<boolean> {
  return (await tx.one(insertStatement, { ...archive, now })) !== undefined;
}

/** Deletes some archives that were not used since a time, and releases their blobs. Returns how many. */
export function removeUnusedArchives(db: Queries, before: number, step: number): Promise<number> {
  return db.run(removeUnused, { before, step });
}
