/** The composition root: the only place that wires parts together. */
export { type Application, startApplication } from './application.ts';
export { type Made, makeBackup, placeOf } from './backup/make-backup.ts';
export { type RestoredInstallation, restoreInstallation } from './backup/restore-installation.ts';
export { openBlobs } from './blob-storage.ts';
export { closeDatabases, type Databases, openDatabases, sealedColumns, sealedDatabases } from './databases.ts';
export { siteOfConfig } from './diagnosis/config-site.ts';
export { composeDomains, type Domains } from './domains.ts';
export type { Peers } from './peers.ts';
export {
  breakingSteps,
  prepareDatabases,
  type SchemaStatus,
  type SchemaUse,
  schemaStatus,
  type TriedOn,
  tryMigrations,
} from './schemas.ts';
