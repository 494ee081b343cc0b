/** The audit record: who asked for what, and what came of it. */
export { Audit, type AuditHealth, type AuditOptions, type AuditSinkOptions, type AuditSinkStatus } from './audit.ts';
export { auditHooks } from './audit-hooks.ts';
export { responseLine } from './audit-line.ts';
export type { Facility, SyslogAddress } from './syslog-outlets.ts';
