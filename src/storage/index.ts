/** The databases, and the keys of what is encrypted in them. */

export { bindKeyring } from './bind-keyring.ts';
export type { BlobStore } from './blobs/blob-store.ts';
export {
  find as findBlob,
  forget as forgetBlob,
  ofWorkspace as blobsOfWorkspace,
  register as registerBlob,
  release as releaseBlob,
  use as useBlob,
} from './blobs/blob-table.ts';
export { type Blob, Blobs, type WrittenBlob } from './blobs/blobs.ts';
export { FileBlobs } from './blobs/file-blobs.ts';
export { BlobHousekeeping } from './blobs/housekeeping.ts';
export * from './database.ts';
export { StorageError } from './errors.ts';
export { type Keyring, KeyringError } from './keyring.ts';
export { createKeyring, openKeyring } from './keyring-file.ts';
export { migrate } from './migrate.ts';
export { openPostgres } from './postgres.ts';
export { queryBuilder } from './query-builder.ts';
export { openSqlite } from './sqlite.ts';
