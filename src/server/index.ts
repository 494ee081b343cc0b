/** HTTP listeners, and rules for every request regardless of its service. */
export { AUDIT_METRICS, Audit, type AuditSinkOptions, type ReceiverSecrets } from './audit/index.ts';
export type { Incoming, ListenerOptions, TlsOptions } from './connection/listener.ts';
export { DEFAULT_LIMITS, type Limits } from './connection/listener-limits.ts';
export { DEFAULT_SERVER_LIMITS, type ServerLimits } from './flow-control/in-flight.ts';
export { createServer, type HttpServer } from './http-server.ts';
export { type ActivityPoint, activityPoints } from './monitoring/activity-points.ts';
export { type HealthCheck, type HealthDetail, Readiness } from './monitoring/health.ts';
export { counter, gauge, histogram, type MetricDefinition, type MetricType } from './monitoring/metric-definition.ts';
export { type MetricSample, Metrics, type MetricsSnapshot, processDefinitions } from './monitoring/metrics.ts';
export type { MetricsHistory, Minute, Sampled } from './monitoring/metrics-history.ts';
export { SERVER_METRICS } from './monitoring/server-metrics.ts';
export type { ChainMemory } from './peer/peer-budget.ts';
export { type FailedLogins, RATE_LIMIT_METRICS, type RateLimitOptions, RateLimits } from './rate-limits/index.ts';
