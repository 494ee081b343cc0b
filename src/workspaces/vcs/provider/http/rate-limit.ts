/** Status "Too Many Requests" (RFC 6585 §4). */
const TOO_MANY = 429;
const FORBIDDEN = 403;

type Headers = Readonly<Record<string, string>>;

/** A provider's answer to the question how long to wait. */
export interface RateLimit {
  /** Time from which requests make sense, milliseconds since 1970; undefined if the provider does not say so. */
  readonly until: number | undefined;
}

/** Returns the limit that a refused request has reached; undefined if the status has another reason. */
export function limitOfRefusal(
  { status, headers, message }: { status: number; headers: Headers; message: string },
  now: number,
): RateLimit | undefined {
  const until = retryAfter(headers, now) ?? resetOf(headers, now);
  if (status === TOO_MANY) return { until: until ?? resetTime(headers, now) };
  if (status !== FORBIDDEN) return undefined;
  // GitHub's secondary limits are statuses 403, some of them without a header.
  return until !== undefined || /rate limit|abuse detection/i.test(message) ? { until } : undefined;
}

/** Returns the limit that a successful request has used up; undefined if there are requests left. */
export function limitOfSuccess(headers: Headers, now: number): RateLimit | undefined {
  const until = resetOf(headers, now);
  return until === undefined ? undefined : { until };
}

/** Returns the time of `Retry-After` (RFC 9110 §10.2.3), milliseconds since 1970. */
export function retryAfter(headers: Headers, now: number): number | undefined {
  const value = headers['retry-after'];
  if (value === undefined) return undefined;
  const time = /^\d{1,9}$/.test(value) ? now + Number(value) * 1000 : Date.parse(value);
  return Number.isNaN(time) ? undefined : time;
}

/** Returns when a used-up budget is renewed. */
function resetOf(headers: Headers, now: number): number | undefined {
  const remaining = headers['x-ratelimit-remaining'] ?? headers['ratelimit-remaining'];
  return remaining?.trim() === '0' ? resetTime(headers, now) : undefined;
}

/** Reads the reset time, which all providers give in seconds since 1970. */
function resetTime(headers: Headers, now: number): number | undefined {
  const value = headers['x-ratelimit-reset'] ?? headers['ratelimit-reset'];
  if (value === undefined || !/^\d{1,12}$/.test(value)) return undefined;
  const time = Number(value) * 1000;
  return time > now ? time : undefined;
}
