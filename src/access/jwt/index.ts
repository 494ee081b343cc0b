/** The jwt auth method: pipelines and workloads log in with JWTs (RFC 7519) of other issuers. */
export { issuerFacts } from './issuer-facts.ts';
export { JwtMethod } from './jwt-method.ts';
export { keyMetricsOf, type MountKeyMetrics } from './key-metrics.ts';
