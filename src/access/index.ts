/** The access API and its parts. */
export type { Access, AccessDependencies } from './access.ts';
export { type CheckedPolicy, checkPolicy } from './acl/index.ts';
export {
  type CertificateLogin,
  type CrlMetrics,
  crlFacts,
  type RevocationMetrics,
  responderFacts,
} from './cert/index.ts';
export { createAccess } from './create-access.ts';
export { issuerFacts as mountIssuerFacts } from './jwt/index.ts';
export { accessMigrations } from './migrations/index.ts';
export { longestLease } from './mounts/index.ts';
export { accessSealedColumns } from './sealed-columns.ts';
export type { RecentActivity } from './sys/index.ts';
