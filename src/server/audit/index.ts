/** The audit log: caller, request and outcome of every request. */
export { Audit, type AuditHealth, type AuditOptions, type AuditSinkStatus } from './audit.ts';
export { auditHooks } from './audit-hooks.ts';
export { responseLine } from './audit-line.ts';
export { AUDIT_METRICS } from './audit-metrics.ts';
export type { AuditSinkOptions } from './create-sink.ts';
export type { ReceiverSecrets } from './delivery/receiver-secrets.ts';
export type { Facility } from './syslog-message.ts';
export type { SyslogAddress } from './syslog-sinks.ts';
