/** Listeners, and what holds for every request, whatever service answers it. */
export { Audit, type AuditSinkOptions, type ReceiverSecrets } from './audit/index.ts';
export type { Incoming, ListenerOptions, TlsOptions } from './connection/listener.ts';
export { DEFAULT_LIMITS, type Limits } from './connection/listener-limits.ts';
export { DEFAULT_SERVER_LIMITS, type ServerLimits } from './flow-control/in-flight.ts';
export { createServer, type HttpServer } from './http-server.ts';
export { type FigurePoint, figurePoints } from './monitoring/figure-points.ts';
export { type HealthCheck, Readiness } from './monitoring/health.ts';
export { type Figures, Metrics } from './monitoring/metrics.ts';
export type { Minute, Past, Sampled } from './monitoring/past.ts';
export type { ChainMemory } from './peer/peer-budget.ts';
export { type FailedLogins, type RateLimitOptions, RateLimits } from './rate-limits/index.ts';
export type { RequestTracing } from './request/request-tracing.ts';
