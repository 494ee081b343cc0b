import { AppError } from '../../lib/errors.ts';
import type { Service } from '../../lib/service.ts';
import { plainErrors } from '../request/error-edge.ts';

/** One thing without which requests cannot be answered. */
export interface HealthCheck {
  /** `database` */
  readonly name: string;
  /** Rejects when the thing does not work. */
  run(): Promise<unknown>;
  /** What anybody may know of what does not work, in whole or in part. */
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
 * How long a check may take until it has failed, milliseconds.
 * @limit one check of readiness, ms -> 503
 */
export const CHECK_MS = 2_000;
/**
 * How long what was found holds, milliseconds: whoever asks, and however often, things are looked at no more often than that.
 * @limit the time for which one round of checks of readiness is told, ms -> they run again
 */
export const CHECK_HOLDS_MS = 1_000;

/**
 * How long what else is told holds, milliseconds.
 * @limit the time for which what `/healthz/ready?verbose` tells is told again, ms -> it is looked at anew
 */
export const DETAILS_HOLD_MS = 10_000;

/** Something that the server has looked at beside what it needs to answer: what anybody may know of it. */
export interface HealthDetail {
  readonly name: string;
  readonly status: string;
  readonly found?: string;
  readonly parts?: readonly HealthDetail[];
}

/** Whether this process should be sent requests. */
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

  /** What is told to those who ask for more. It decides nothing. */
  explainBy(look: () => Promise<readonly HealthDetail[]>): void {
    this.#look = look;
  }

  /** Shared with all who ask within a while: nobody makes a server look more often. */
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

  /** From now on: not ready. */
  drain(): void {
    this.#draining = true;
  }

  /** Anybody may ask: the checks, which write, are shared with all who ask within a second. */
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

/** One that is stuck is not begun again until it has come to an end. */
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
    const failed = { name, ok: false, reason: `no answer within ${CHECK_MS / 1000} s` };
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

/** The system's or the database's own word for it, which names no path and no address. */
function reasonOf(error: unknown): { reason?: string } {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    const { errstr, code } = cause as { errstr?: unknown; code?: unknown };
    // SQLite's fixed texts: `database or disk is full`.
    if (typeof errstr === 'string') return { reason: errstr };
    if (typeof code === 'string' && CODE.test(code)) return { reason: code };
  }
  return {};
}

/** It tells nobody anything about anybody, and has to be answered above all when nothing can be recorded. */
const UNAUDITED = { config: { audit: false } } as const;

/** For load balancers and orchestrators, on every listener. */
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
