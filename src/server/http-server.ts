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
    /** Services by listener. Every listener also serves health checks; metrics need `metrics.service()`. */
    readonly services: readonly Service[];
  })[];
  /** Limits across all listeners. Default: `DEFAULT_SERVER_LIMITS`. */
  readonly limits?: Partial<ServerLimits>;
  readonly logger: Logger;
  readonly metrics: Metrics;
  /** The caller closes it after the server. */
  readonly audit: Audit;
  readonly readiness: Readiness;
  /** Rate limits. Default: none. */
  readonly rates?: RateLimits | undefined;
  /** Tracing. Default: disabled. */
  readonly tracing?: RequestTracing | undefined;
  /** Memory for certificate chains. Default: `DEFAULT_CHAIN_MEMORY`. */
  readonly chainMemory?: ChainMemory;
}

export interface HttpServer {
  /** Resolves when all listeners accept connections. Rejects, with all closed, if one fails. */
  start(): Promise<readonly ListenerAddress[]>;
  /** @throws for an unknown listener, one without TLS, or a certificate that does not match its key */
  reloadTls(listener: string, tls: TlsOptions): void;
  /**
   * Starts draining: reports not ready and closes each connection after its next response. Requests are still served.
   */
  drain(): void;
  /** Drains without reporting not ready, because another process replaces this one. */
  retire(): void;
  /**
   * Drains and stops accepting connections. Requests in flight have `graceMs` to finish. Resolves when all connections
   * are closed and all requests are audited. A second call waits for the first.
   */
  close(graceMs: number): Promise<void>;
}

/** Combines listeners and services into servers. Opens nothing before `start`. */
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
      if (!endpoint) throw new Error(`no listener named ${name}`);
      endpoint.reloadTls(tls);
    },
  };
}

/** Metrics of client certificate chains, which use memory that is never freed. */
function registerChains(metrics: Metrics, budget: PeerBudget): void {
  metrics.total(SERVER_METRICS.chains, async () =>
    Object.entries(budget.metrics().chains).map(([outcome, value]) => ({ labels: { outcome }, value })),
  );
  metrics.gauge(SERVER_METRICS.chainMemory, async () => [{ labels: {}, value: budget.metrics().bytes }]);
}
