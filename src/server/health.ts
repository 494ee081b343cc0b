import { AppError } from '../lib/errors.ts';
import type { Service } from '../lib/service.ts';
import { plainErrors } from './error-edge.ts';

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

const CHECK_MS = 2_000;

/** Whether this process should be sent requests. */
export class Readiness {
  readonly #checks: readonly HealthCheck[];
  #draining = false;
  #running: Promise<Health> | undefined;

  constructor(checks: readonly HealthCheck[]) {
    this.#checks = checks;
  }

  /** From now on: not ready. */
  drain(): void {
    this.#draining = true;
  }

  /** Anybody may ask, so those who ask at the same time share one round of checks. */
  health(): Promise<Health> {
    this.#running ??= this.#check().finally(() => {
      this.#running = undefined;
    });
    return this.#running;
  }

  async #check(): Promise<Health> {
    const results = await Promise.all(this.#checks.map(resultOf));
    const checks = [{ name: 'accepting', ok: !this.#draining }, ...results];
    return { ready: checks.every((check) => check.ok), checks };
  }
}

async function resultOf(check: HealthCheck): Promise<CheckResult> {
  const ok = await passes(check);
  const reason = check.reason?.();
  return { name: check.name, ok, ...(reason !== undefined && { reason }) };
}

async function passes(check: HealthCheck): Promise<boolean> {
  const late = Promise.withResolvers<boolean>();
  const timer = setTimeout(() => late.resolve(false), CHECK_MS);
  return Promise.race([succeeds(check), late.promise]).finally(() => clearTimeout(timer));
}

async function succeeds(check: HealthCheck): Promise<boolean> {
  try {
    await check.run();
    return true;
  } catch {
    return false;
  }
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
      app.get('/ready', UNAUDITED, async (_request, reply) => {
        const health = await readiness.health();
        return reply.code(health.ready ? 200 : 503).send(health);
      });
    },
  };
}
