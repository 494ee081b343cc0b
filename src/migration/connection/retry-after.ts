import type { IncomingHttpHeaders } from 'node:http';

/**
 * Returns the time after which a request may be repeated, milliseconds: `Retry-After` in seconds or as a date, or
 * `X-RateLimit-Reset` in seconds, as HCP Terraform sends it. Undefined without a usable header.
 */
export function retryAfter(headers: IncomingHttpHeaders, now = Date.now()): number | undefined {
  const asked = String(headers['retry-after'] ?? headers['x-ratelimit-reset'] ?? '').trim();
  if (asked === '') return undefined;
  const ms = /^\d+(\.\d+)?$/.test(asked) ? Number(asked) * 1000 : Date.parse(asked) - now;
  return Number.isFinite(ms) ? Math.max(0, Math.ceil(ms)) : undefined;
}
