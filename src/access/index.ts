/** Who may come in: the access API and what stands behind it. */
export type { Access, AccessDependencies, CertificateLogin, RevocationFigures } from './access.ts';
export type { CrlFigures } from './cert/crl/index.ts';
export { createAccess } from './composition.ts';
export { accessMigrations } from './migrations/index.ts';
export { longestLease } from './mounts/longest-lease.ts';
export { accessSealedColumns } from './sealed-columns.ts';
