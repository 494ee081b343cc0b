import { type ContentColumn, type Queries, sql } from '../../../storage/index.ts';
import { fragment, isOneOf, select } from '../../query/dynamic.ts';

/** README of an archive for a working directory, encrypted with the key of the archive. Empty: there is none. */
export interface StoredReadme {
  readonly blobName: string;
  readonly workingDirectory: string;
  readonly content: Uint8Array;
}

export const PURPOSE = 'readme';

/** Columns that are encrypted with the keys of archives. */
export const readmeContentColumns: readonly ContentColumn[] = [
  { table: 'configuration_readme', name: 'blob_name', column: 'content', purpose: PURPOSE },
];

const insertStatement = sql<{ [Column in keyof StoredReadme]: StoredReadme[Column] }>(
  `INSERT INTO configuration_readme (blob_name, working_directory, content)
   SELECT name, :workingDirectory, :content FROM blob WHERE name = :blobName ON CONFLICT DO NOTHING`,
);

/** Stores a README, unless its archive was deleted meanwhile. */
export function insertReadme(db: Queries, readme: StoredReadme) {
  return db.run(insertStatement, { ...readme });
}

/**
 * Returns the READMEs of these archives that were read before, for these working directories. An archive that many
 * workspaces share has one for each of them.
 */
export function storedReadmes(
  db: Queries,
  blobNames: readonly string[],
  workingDirectories: readonly string[],
): Promise<StoredReadme[]> {
  if (blobNames.length === 0) return Promise.resolve([]);
  return select(
    db,
    fragment<StoredReadme>`select blob_name as "blobName", working_directory as "workingDirectory", content
      from configuration_readme
      where ${isOneOf('blob_name', blobNames)} and ${isOneOf('working_directory', workingDirectories)}`,
  );
}
