import type { Logger } from 'pino';
import { systemClock } from '../lib/clock.ts';
import type { RequestTracing } from '../lib/request.ts';
import type { Service } from '../lib/service.ts';
import type { Audit } from './audit/index.ts';
import type { ListenerOptions, TlsOptions } from './connection/listener.ts';
import { Endpoint, type ListenerAddress } from './endpoint.ts';
import { DEFAULT_SERVER_LIMITS, InFlight, type ServerLimits } from './flow-control/in-flight.ts';
import { UnsentAnswers } from './flow-control/unsent-answers.ts';
import { healthService, type Readiness } from './monitoring/health.ts';
import type { Metrics } from './monitoring/metrics.ts';
import { SERVER_METRICS } from './monitoring/server-metrics.ts';
import { type ChainMemory, PeerBudget } from './peer/peer-budget.ts';
import type { RateLimits } from './rate-limits/index.ts';

export interface ServerOptions {
  readonly listeners: readonly (ListenerOptions & {
    /** Health is on every listener besides; metrics are where `metrics.service()` is. */
    readonly services: readonly Service[];
  })[];
  /** Of all listeners together. Default: `DEFAULT_SERVER_LIMITS`. */
  readonly limits?: Partial<ServerLimits>;
  readonly logger: Logger;
  readonly metrics: Metrics;
  /** Closed by who opened it, after the server. */
  readonly audit: Audit;
  readonly readiness: Readiness;
  /** Default: as often as anybody likes. */
  readonly rates?: RateLimits | undefined;
  /** Default: nothing is traced. */
  readonly tracing?: RequestTracing | undefined;
  /** Default: `DEFAULT_CHAIN_MEMORY`. */
  readonly chainMemory?: ChainMemory;
}

export interface HttpServer {
  /** Resolves when every listener accepts connections; rejects, with none left open, when one cannot. */
  start(): Promise<readonly ListenerAddress[]>;
  /** @throws when there is no such listener, it has no TLS, or the new certificate does not fit its key */
  reloadTls(listener: string, tls: TlsOptions): void;
  /** Not ready from now on, and each answer is the last on its connection; everything is served as before. */
  drain(): void;
  /** Each answer is the last on its connection from now on, and nobody hears of it: another process goes on in place of this one. */
  retire(): void;
  /**
   * Drains, and takes no more connections; requests in flight have `graceMs` to finish. Resolves when every connection is closed and every
   * request on record; a second call waits for the first.
   */
  close(graceMs: number): Promise<void>;
}

/** Listeners and services into servers. Nothing is opened before `start`. */
export function createServer({ readiness, ...options }: ServerOptions): HttpServer {
  const { logger, metrics, audit, rates, tracing } = options;
  const limits = { ...DEFAULT_SERVER_LIMITS, ...options.limits };
  const budget = new PeerBudget(systemClock, options.chainMemory);
  registerChains(metrics, budget);
  const inFlight = new InFlight(limits.requests);
  const endless = new InFlight(limits.streams);
  const unsent = new UnsentAnswers(limits.unsentBytes);
  const common = { logger, metrics, audit, inFlight, endless, unsent, rates, tracing };
  const health = healthService(readiness);
  const endpoints = options.listeners.map(({ services, ...listener }) => {
    return new Endpoint(listener, [health, ...services], budget, common);
  });
  let isRetiring = false;
  const drain = () => {
    if (!isRetiring) readiness.drain();
    for (const endpoint of endpoints) endpoint.drain();
  };
  const retire = () => {
    isRetiring = true;
    drain();
  };
  const closeAll = async (graceMs: number): Promise<void> => {
    drain();
    await Promise.all(endpoints.map((endpoint) => endpoint.close(graceMs)));
  };
  let closing: Promise<void> | undefined;
  const close = (graceMs: number): Promise<void> => {
    closing ??= closeAll(graceMs);
    return closing;
  };
  return {
    drain,
    retire,
    close,
    async start() {
      const started = await Promise.allSettled(endpoints.map((endpoint) => endpoint.start()));
      const failed = started.find((result) => result.status === 'rejected');
      if (failed) {
        await close(0);
        throw failed.reason;
      }
      return started.map((result) => (result as PromiseFulfilledResult<ListenerAddress>).value);
    },
    reloadTls(name, tls) {
      const endpoint = endpoints.find((one) => one.name === name);
      if (!endpoint) throw new Error(`there is no listener ${name}`);
      endpoint.reloadTls(tls);
    },
  };
}

/** What chains of clients cost, which an operator wants to know before memory runs out. */
function registerChains(metrics: Metrics, budget: PeerBudget): void {
  metrics.total(SERVER_METRICS.chains, async () =>
    Object.entries(budget.metrics().chains).map(([outcome, value]) => ({ labels: { outcome }, value })),
  );
  metrics.gauge(SERVER_METRICS.chainMemory, async () => [{ labels: {}, value: budget.metrics().bytes }]);
}
