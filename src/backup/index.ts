/** Backups: one encrypted stream with all data of a server, which can be created, verified and restored. */
export { BackupAttempts } from './attempts.ts';
export { createBackup, type Source } from './create.ts';
export type { BackupDestination } from './destination/destination.ts';
export { backupAt, type Location, locate, type S3Access } from './destination/location.ts';
export { before, byTime, nameOf, ofKeyring } from './destination/names.ts';
export { type Header, MAX_HEADER, openEnvelope } from './format/envelope.ts';
export { DamagedBackup } from './format/frames.ts';
export type { ManifestRecord } from './format/records.ts';
export { type Restored, restoreBackup } from './restore.ts';
export { nextBackup, type Schedule } from './schedule.ts';
export { type Verified, verifyBackup } from './verify.ts';
