/** Rate limits and their responses. */
export type { FailedLogins } from './failed-logins.ts';
export { RATE_LIMIT_METRICS, type RateLimitOptions, RateLimits } from './rate-limits.ts';
