/** Listeners, and what holds for every request, whatever service answers it. */
export { AUDIT_FIGURES, Audit, type AuditSinkOptions, type ReceiverSecrets } from './audit/index.ts';
export type { Incoming, ListenerOptions, TlsOptions } from './connection/listener.ts';
export { DEFAULT_LIMITS, type Limits } from './connection/listener-limits.ts';
export { DEFAULT_SERVER_LIMITS, type ServerLimits } from './flow-control/in-flight.ts';
export { createServer, type HttpServer } from './http-server.ts';
export { counter, type FigureDefinition, type FigureType, gauge, histogram } from './monitoring/definition.ts';
export { type FigurePoint, figurePoints } from './monitoring/figure-points.ts';
export { type HealthCheck, type HealthDetail, Readiness } from './monitoring/health.ts';
export { type Figure, type Figures, Metrics, processDefinitions } from './monitoring/metrics.ts';
export type { Minute, Past, Sampled } from './monitoring/past.ts';
export { SERVER_FIGURES } from './monitoring/server-figures.ts';
export type { ChainMemory } from './peer/peer-budget.ts';
export { type FailedLogins, RATE_FIGURES, type RateLimitOptions, RateLimits } from './rate-limits/index.ts';
