/** Operations on the server itself, for clients and administrators. */
export type { AuditRecord } from './audit-operations.ts';
export type { Readiness } from './health.ts';
export type { RecentActivity } from './recent-activity-operation.ts';
export { serverFacts } from './server-facts.ts';
export { sysOperations } from './sys-operations.ts';
export { VersionHistory } from './version-history.ts';
