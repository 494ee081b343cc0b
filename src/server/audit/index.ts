/** The audit record: who asked for what, and what came of it. */
export { Audit, type AuditHealth, type AuditOptions, type AuditSinkOptions, type AuditSinkStatus } from './audit.ts';
export { responseLine } from './entry.ts';
export { auditHooks } from './hooks.ts';
export type { Facility, SyslogAddress } from './syslog.ts';
