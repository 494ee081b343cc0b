/** How often one may ask, and what those are told who ask more often. */
export type { FailedLogins } from './failed-logins.ts';
export { RATE_LIMIT_METRICS, type RateLimitOptions, RateLimits } from './rate-limits.ts';
