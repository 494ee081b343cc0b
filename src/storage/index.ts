/** Databases, blobs, and the keys that encrypt them. */

export { BackgroundLease, backgroundHolder } from './background-lease.ts';
export { bindKeyring, boundFingerprint, keyringMigrations } from './bind-keyring.ts';
export type { BlobDraft } from './blobs/blob-draft.ts';
export { blobTables, releaseFunction, releasing } from './blobs/blob-schema.ts';
export { BlobMissing, type BlobStore } from './blobs/blob-store.ts';
export {
  addBlobUse as useBlob,
  type BlobOwner,
  findBlob,
  isBlobKnown,
} from './blobs/blob-table.ts';
export { BlobWriter } from './blobs/blob-writer.ts';
export {
  type Blob,
  Blobs,
  type ContentColumn,
  type ContentSink,
  openBeside,
  openContent,
  type SinkKeys,
  sealedBlobKeys,
  type WrittenBlob,
} from './blobs/blobs.ts';
export { openChunks, sealChunks } from './blobs/chunk-cipher.ts';
export { FileBlobs } from './blobs/file-blobs.ts';
export { HeldBlobs } from './blobs/held-blobs.ts';
export { BlobHousekeeping } from './blobs/housekeeping.ts';
export { S3Blobs } from './blobs/s3/s3-blobs.ts';
export { S3Objects } from './blobs/s3/s3-objects.ts';
export type { S3Settings } from './blobs/s3/settings.ts';
export * from './database.ts';
export { StorageError } from './errors.ts';
export { FileKeyring } from './keyring/file-keyring.ts';
export { createKeyring, openKeyring, writeNew as writeNewKeyring } from './keyring/keyring-file.ts';
export { addKey, type KeyFacts, listKeys, removeKey, rewrite as rewriteKeyring } from './keyring/keyring-rotation.ts';
export { type Note, readEnvelope, readKeyring, recoverKeys } from './keyring/keyring-store.ts';
export { makeRecoveryKey, readRecoveryFile, writeRecoveryFile } from './keyring/wrap/recovery.ts';
export type { KeyringPlace } from './keyring/wrap/settings.ts';
export { type Keyring, KeyringError } from './keyring.ts';
export { STANDBYS, type StandbyLag, type StandbyRow, standbyLags } from './postgres/standbys.ts';
export { openPostgres, postgresMigrations } from './postgres.ts';
export { queryBuilder } from './query-builder.ts';
export { ReadThroughCache } from './read-through-cache.ts';
export type { Reading } from './reading.ts';
export { countSealed, Resealing, type SealedCount, type SealedDatabase } from './resealing.ts';
export { currentNames } from './schema/applied.ts';
export { onCopy, onEmptySchema } from './schema/copy.ts';
export { adoptBaselines, type MigrateOptions, migrate, migrationStatus } from './schema/migrate.ts';
export type { ColumnTypes, Migration } from './schema/migration.ts';
export type { SealedColumn } from './sealed-column.ts';
export { SharedClock, timeOf } from './shared-clock.ts';
export { PostgresSignals } from './signals/postgres-signals.ts';
export { LocalSignals, type Signals } from './signals/signals.ts';
export { Waits } from './signals/waits.ts';
export { loadPostgres } from './snapshot/postgres-load.ts';
export { snapshotOfPostgres } from './snapshot/postgres-snapshot.ts';
export { replaceSchema } from './snapshot/replace-schema.ts';
export type { Column, Load, Row, Snapshot, Table } from './snapshot/snapshot.ts';
export { loadSqlite } from './snapshot/sqlite-load.ts';
export { snapshotOfSqlite } from './snapshot/sqlite-snapshot.ts';
export { networkFilesystem } from './sqlite/file.ts';
export { lockForServer, SERVER_LOCK_FILE, type ServerLock } from './sqlite/server-lock.ts';
export { openSqlite } from './sqlite.ts';
export { syncFolder } from './sync-folder.ts';
