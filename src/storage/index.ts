/** The databases, and the keys of what is encrypted in them. */

export { BackgroundLease, backgroundHolder } from './background-lease.ts';
export { bindKeyring, keyringMigrations } from './bind-keyring.ts';
export type { BlobStore } from './blobs/blob-store.ts';
export {
  find as findBlob,
  forget as forgetBlob,
  ofWorkspace as blobsOfWorkspace,
  register as registerBlob,
  release as releaseBlob,
  use as useBlob,
} from './blobs/blob-table.ts';
export { type Blob, Blobs, type ContentSink, type SinkKeys, sealedBlobKeys, type WrittenBlob } from './blobs/blobs.ts';
export { FileBlobs } from './blobs/file-blobs.ts';
export { BlobHousekeeping } from './blobs/housekeeping.ts';
export { S3Blobs } from './blobs/s3/s3-blobs.ts';
export type { S3Settings } from './blobs/s3/settings.ts';
export * from './database.ts';
export { StorageError } from './errors.ts';
export { FileKeyring } from './file-keyring.ts';
export { KeptReads } from './kept-reads.ts';
export { type Keyring, KeyringError } from './keyring.ts';
export { createKeyring, openKeyring } from './keyring-file.ts';
export { addKey, type KeyFacts, listKeys, removeKey } from './keyring-rotation.ts';
export { openPostgres, postgresMigrations } from './postgres.ts';
export { queryBuilder } from './query-builder.ts';
export type { Reading } from './reading.ts';
export { countSealed, Resealing, type SealedCount, type SealedDatabase } from './resealing.ts';
export { onCopy, onEmptySchema } from './schema/copy.ts';
export { type MigrateOptions, migrate, standing } from './schema/migrate.ts';
export type { ColumnTypes, Migration } from './schema/migration.ts';
export type { SealedColumn } from './sealed-column.ts';
export { SharedClock } from './shared-clock.ts';
export { PostgresSignals } from './signals/postgres-signals.ts';
export { LocalSignals, type Signals } from './signals/signals.ts';
export { Waits } from './signals/waits.ts';
export { lockForServer, SERVER_LOCK_FILE, type ServerLock } from './sqlite/server-lock.ts';
export { openSqlite } from './sqlite.ts';
