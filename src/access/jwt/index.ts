/** Logins with tokens that somebody else has signed (RFC 7519): pipelines, workloads. */
export { issuerFacts } from './issuer-facts.ts';
export { JwtMethod } from './jwt-method.ts';
export { keyMetricsOf, type MountKeyMetrics } from './key-metrics.ts';
