import { AppError } from '../../lib/errors.ts';
import type { Service } from '../../lib/service.ts';
import { plainErrors } from '../request/error-edge.ts';

/** A dependency that requests need. */
export interface HealthCheck {
  /** Name such as `database`. */
  readonly name: string;
  /** Checks a dependency. Rejects if it is not available. */
  run(): Promise<unknown>;
  /** Public description of a failure. */
  reason?(): string | undefined;
}

export interface CheckResult {
  readonly name: string;
  readonly ok: boolean;
  readonly reason?: string;
}

export interface Health {
  readonly ready: boolean;
  readonly checks: readonly CheckResult[];
}

/**
 * Timeout of a check, milliseconds.
 * @limit duration of a readiness check, ms -> 503
 */
export const CHECK_MS = 2_000;
/**
 * Cache time of readiness results, milliseconds. Checks do not run more often.
 * @limit time for which readiness results are cached, ms -> the checks run again
 */
export const CHECK_HOLDS_MS = 1_000;

/**
 * Cache time of verbose results, milliseconds.
 * @limit time for which `/healthz/ready?verbose` is cached, ms -> the checks run again
 */
export const DETAILS_HOLD_MS = 10_000;

/** Public result of an additional check. */
export interface HealthDetail {
  readonly name: string;
  readonly status: string;
  readonly found?: string;
  readonly parts?: readonly HealthDetail[];
}

/** Readiness of this process. */
export class Readiness {
  readonly #checks: RunningCheck[];
  #draining = false;
  #found: { readonly results: Promise<readonly CheckResult[]>; readonly until: number } | undefined;

  #look: () => Promise<readonly HealthDetail[]> = async () => [];
  #seen: { readonly details: Promise<readonly HealthDetail[]>; until: number } | undefined;

  constructor(checks: readonly HealthCheck[] = []) {
    this.#checks = checks.map((check) => new RunningCheck(check));
  }

  add(...checks: readonly HealthCheck[]): void {
    this.#checks.push(...checks.map((check) => new RunningCheck(check)));
  }

  /** Additional checks for verbose requests. They do not affect readiness. */
  explainBy(look: () => Promise<readonly HealthDetail[]>): void {
    this.#look = look;
  }

  /** The results are cached, so that clients cannot trigger checks at will. */
  details(): Promise<readonly HealthDetail[]> {
    if (this.#seen && performance.now() < this.#seen.until) return this.#seen.details;
    const seen = { details: this.#look(), until: Number.POSITIVE_INFINITY };
    this.#seen = seen;
    const hold = () => {
      seen.until = performance.now() + DETAILS_HOLD_MS;
    };
    seen.details.then(hold, hold);
    return seen.details;
  }

  /** Reports not ready from now on. */
  drain(): void {
    this.#draining = true;
  }

  /** Checks write to the database, and unauthenticated clients may request them. So requests within a second share one
   * check. */
  async health(): Promise<Health> {
    const results = await this.#results();
    const checks = [{ name: 'accepting', ok: !this.#draining }, ...results];
    return { ready: checks.every((check) => check.ok), checks };
  }

  #results(): Promise<readonly CheckResult[]> {
    if (this.#found && performance.now() < this.#found.until) return this.#found.results;
    const results = Promise.all(this.#checks.map((check) => check.result()));
    this.#found = { results, until: performance.now() + CHECK_HOLDS_MS };
    return results;
  }
}

/** A stuck check is not started again before it ends. */
class RunningCheck {
  readonly #check: HealthCheck;
  #running: Promise<CheckResult> | undefined;

  constructor(check: HealthCheck) {
    this.#check = check;
  }

  async result(): Promise<CheckResult> {
    const { name } = this.#check;
    this.#running ??= this.#run().finally(() => {
      this.#running = undefined;
    });
    const late = Promise.withResolvers<CheckResult>();
    const failed = { name, ok: false, reason: `no response within ${CHECK_MS / 1000} s` };
    const timer = setTimeout(() => late.resolve(failed), CHECK_MS);
    return Promise.race([this.#running, late.promise]).finally(() => clearTimeout(timer));
  }

  async #run(): Promise<CheckResult> {
    const { name } = this.#check;
    try {
      await this.#check.run();
      return { name, ok: true, ...this.#reason() };
    } catch (error) {
      return { name, ok: false, ...reasonOf(error), ...this.#reason() };
    }
  }

  #reason(): { reason?: string } {
    const reason = this.#check.reason?.();
    return reason === undefined ? {} : { reason };
  }
}

const CODE = /^[A-Z0-9]{3,20}$/;

/** Returns the error code of the system or database, without path or URL. */
function reasonOf(error: unknown): { reason?: string } {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    const { errstr, code } = cause as { errstr?: unknown; code?: unknown };
    // Fixed messages of SQLite, such as `database or disk is full`.
    if (typeof errstr === 'string') return { reason: errstr };
    if (typeof code === 'string' && CODE.test(code)) return { reason: code };
  }
  return {};
}

/** Not audited: health checks reveal nothing about callers, and must work while the audit log cannot be written. */
const UNAUDITED = { config: { audit: false } } as const;

/** Health checks for load balancers and orchestrators, on every listener. */
export function healthService(readiness: Readiness): Service {
  return {
    name: 'health',
    prefix: '/healthz',
    errors: plainErrors,
    notFound: () => new AppError('not-found', 'no such path'),
    routes(app) {
      app.get('/live', UNAUDITED, async () => ({ live: true }));
      app.get('/ready', UNAUDITED, async ({ query }, reply) => {
        const health = await readiness.health();
        const isVerbose = Object.hasOwn(query as object, 'verbose');
        const body = isVerbose ? { ...health, diagnosis: await readiness.details() } : health;
        return reply.code(health.ready ? 200 : 503).send(body);
      });
    },
  };
}
