import { AppError } from '../../lib/errors.ts';
import type { ServiceRate } from '../../lib/service.ts';
import { counter, gauge } from '../monitoring/metric-definition.ts';
import type { Counter, Metrics } from '../monitoring/metrics.ts';
import { network } from '../peer/client-network.ts';
import type { RequestContext } from '../request/request-context.ts';
import { CallerLimit, type Counted } from './caller-limit.ts';
import { FailedLogins } from './failed-logins.ts';
import type { RateState } from './pace.ts';
import { Paces } from './paces.ts';

/** Rate limits. Absent fields are not limited. */
export interface RateLimitOptions {
  /** Requests per second of each caller, and of each IP address without one. */
  readonly access?: number;
  readonly workspaces?: number;
  /** Logins per minute of each IP address. */
  readonly logins?: number;
  /** Refused logins per minute. */
  readonly failedLogins?: number;
}

/** Result of the check before a request. */
interface Count {
  readonly limit: CallerLimit | undefined;
  readonly counted: Counted | undefined;
  readonly network: string | undefined;
  readonly isLogin: boolean;
}

type LimitName = 'access' | 'workspaces' | 'logins' | 'failed_logins';

const MINUTE_MS = 60_000;
/** Status codes of failed logins that are not server errors. */
const REFUSED = new Set([400, 401, 403]);

/** Counter of refusals. Present if a limit is set. */
export const RATE_LIMIT_METRICS = {
  refused: counter('rate_limited_requests_total', 'Requests refused by rate limits.', ['limit']),
  kept: gauge('rate_limit_entries', 'Callers and IP addresses tracked by rate limits.'),
} as const;

/**
 * Refuses requests above the limits with the time to retry, before any look-up. Counts are in memory, for each
 * process.
 */
export class RateLimits {
  /** Counters of failed logins, which are shared with other processes. */
  readonly failedLogins: FailedLogins | undefined;
  readonly #callers: Readonly<Record<ServiceRate['of'], CallerLimit | undefined>>;
  readonly #logins: Paces | undefined;
  readonly #now: () => number;
  readonly #counts = new WeakMap<RequestContext, Count>();
  readonly #refusals: Counter;

  /** @param now monotonic clock, milliseconds */
  constructor(options: RateLimitOptions, metrics: Metrics, now = () => performance.now()) {
    const { access, workspaces, logins, failedLogins } = options;
    const limit = (perSecond: number | undefined) => (perSecond ? new CallerLimit(perSecond, now) : undefined);
    this.#now = now;
    this.#callers = { access: limit(access), workspaces: limit(workspaces) };
    this.#logins = logins ? new Paces(logins, MINUTE_MS) : undefined;
    this.failedLogins = failedLogins ? new FailedLogins(failedLogins, now) : undefined;
    this.#refusals = metrics.counter(RATE_LIMIT_METRICS.refused);
    metrics.gauge(RATE_LIMIT_METRICS.kept, async () => [{ labels: {}, value: this.#kept }]);
  }

  /** Returns the refusal of a request, if any. @param isProxy whether many clients share its address */
  excess(context: RequestContext, isProxy: () => boolean): AppError | undefined {
    const rate = context.service?.rate;
    const kind = rate?.kindOf(context.request.method ?? '', context.target);
    if (rate === undefined || kind === undefined || kind === 'free') return undefined;
    const from = isProxy() ? undefined : network(context.peer.address);
    if (kind !== 'login') return this.#request(context, rate, from);
    const error = this.#login(context, rate, from);
    if (error === undefined && from !== undefined) this.failedLogins?.loginStarted(from);
    return error;
  }

  #request(
    context: RequestContext,
    rate: ServiceRate,
    from: string | undefined,
    isLogin = false,
  ): AppError | undefined {
    const limit = this.#callers[rate.of];
    const counted = limit?.count(isLogin ? undefined : presented(context, rate), from);
    this.#counts.set(context, { limit: isLogin ? undefined : limit, counted, network: from, isLogin });
    if (limit === undefined || counted?.taken === undefined) return undefined;
    show(context, limit.perSecond, counted.taken);
    return counted.taken.isLetIn ? undefined : this.#refuse(context, rate, rate.of, counted.taken);
  }

  #login(context: RequestContext, rate: ServiceRate, from: string | undefined): AppError | undefined {
    const failed = from === undefined ? undefined : this.failedLogins;
    const standing = failed?.remainingOf(from ?? '');
    if (failed && standing?.remaining === 0) {
      show(context, failed.count, standing);
      return this.#refuse(context, rate, 'failed_logins', standing);
    }
    if (this.#logins === undefined || from === undefined) return this.#request(context, rate, from, true);
    const taken = this.#logins.take(from, this.#now());
    this.#counts.set(context, { limit: undefined, counted: undefined, network: from, isLogin: true });
    show(context, this.#logins.pace.count, taken);
    return taken.isLetIn ? undefined : this.#refuse(context, rate, 'logins', taken);
  }

  #refuse(context: RequestContext, rate: ServiceRate, limit: LimitName, { waitMs }: RateState): AppError {
    this.#counts.delete(context);
    this.#refusals.inc({ limit });
    const retryAfter = Math.max(1, Math.ceil(waitMs / 1_000));
    const logged = 'rate limit exceeded';
    return new AppError('too-many-requests', rate.refusal(context.target), {
      ...{ retryAfter, logged, context: { rate_limit: limit } },
    });
  }

  /** Counts the request for its caller, which is known when the response is sent. */
  settle(context: RequestContext): void {
    const count = this.#counts.get(context);
    if (count === undefined) return;
    this.#counts.delete(context);
    const { limit, counted, network: from, isLogin } = count;
    const { fields } = context;
    if (isLogin && from !== undefined) this.failedLogins?.loginEnded(from, isRefusal(context));
    if (limit === undefined || counted === undefined) return;
    const caller = fields.actor_id ?? fields.actor_accessor;
    if (typeof caller === 'string') show(context, limit.perSecond, limit.asked(counted, caller));
    else if (fields.error_kind === 'unauthenticated') limit.refused(counted);
  }

  /** Finishes a request. A login aborted before the response does not count as refused. */
  requestFinished(context: RequestContext): void {
    const { isLogin, network: from } = this.#counts.get(context) ?? {};
    this.#counts.delete(context);
    if (isLogin && from !== undefined) this.failedLogins?.loginEnded(from, false);
  }

  get #kept(): number {
    const { access, workspaces } = this.#callers;
    return (access?.kept ?? 0) + (workspaces?.kept ?? 0) + (this.#logins?.size ?? 0);
  }
}

/** Returns the first header with a credential. */
function presented({ request }: RequestContext, { credentials }: ServiceRate): string | undefined {
  for (const name of credentials) {
    const value = request.headers[name];
    if (typeof value === 'string' && value !== '') return value;
  }
  return undefined;
}

function isRefusal({ reply, response, fields }: RequestContext): boolean {
  const kind = fields.error_kind;
  return REFUSED.has(reply?.statusCode ?? response.statusCode) || kind === 'unauthenticated' || kind === 'forbidden';
}

/** Returns the headers in the form that existing clients parse: the reset in seconds with a fraction. */
function show(context: RequestContext, count: number, { remaining, waitMs }: RateState): void {
  const headers = {
    'x-ratelimit-limit': String(count),
    'x-ratelimit-remaining': String(remaining),
    'x-ratelimit-reset': (Math.ceil(waitMs) / 1_000).toFixed(3),
  };
  context.addHeaders(headers);
}
