import { type Queries, sql } from '../../../storage/index.ts';

/** Blob with the files of a commit. */
export interface ArchivedBlob {
  readonly blobName: string;
  readonly size: number;
}

const selectBlob = sql<{ id: string }, ArchivedBlob>(
  'SELECT blob_name AS "blobName", size FROM vcs_archive WHERE id = :id',
);

/** Returns the blob of an archive; undefined if the archive was deleted. */
export function archivedBlob(db: Queries, archiveId: string): Promise<ArchivedBlob | undefined> {
  return db.one(selectBlob, { id: archiveId });
}
