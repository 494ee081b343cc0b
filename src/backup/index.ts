/** Backups: all that an installation keeps, sealed, in one stream; looked at, and brought back. */
export { type Created, createBackup, type Making, type Source } from './create.ts';
export { type Header, openEnvelope } from './format/envelope.ts';
export { DamagedBackup } from './format/frames.ts';
export { type Restored, restoreBackup, type Target } from './restore.ts';
export { type Verified, verifyBackup } from './verify.ts';
