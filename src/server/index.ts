import type { AddressInfo } from 'node:net';
import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import { systemClock } from '../lib/clock.ts';
import { PathPatterns } from '../lib/path-patterns.ts';
import type { AnyIncoming } from '../lib/request.ts';
import type { Service } from '../lib/service.ts';
import type { Audit } from './audit/index.ts';
import { type AnyResponse, Listener, type ListenerOptions, type TlsOptions } from './connection/listener.ts';
import { buildApp } from './fastify-app.ts';
import { DEFAULT_SERVER_LIMITS, InFlight, type ServerLimits } from './flow-control/in-flight.ts';
import { UnsentAnswers } from './flow-control/unsent-answers.ts';
import { Front, type Route } from './front.ts';
import { healthService, type Readiness } from './monitoring/health.ts';
import type { Metrics } from './monitoring/metrics.ts';
import { type ChainMemory, PeerBudget } from './peer/peer-budget.ts';

export { Audit, type AuditHealth, type AuditSinkOptions, type AuditSinkStatus } from './audit/index.ts';
export type { ListenerOptions, TlsOptions } from './connection/listener.ts';
export { DEFAULT_LIMITS, type Limits } from './connection/listener-limits.ts';
export type { ServerLimits } from './flow-control/in-flight.ts';
export { type HealthCheck, Readiness } from './monitoring/health.ts';
export { type Counter, Metrics } from './monitoring/metrics.ts';
export type { ChainMemory } from './peer/peer-budget.ts';

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
  /** Default: `DEFAULT_CHAIN_MEMORY`. */
  readonly chainMemory?: ChainMemory;
}

export interface ListenerAddress {
  readonly name: string;
  readonly address: AddressInfo;
}

export interface HttpServer {
  /** Resolves when every listener accepts connections; rejects, with none left open, when one cannot. */
  start(): Promise<readonly ListenerAddress[]>;
  /** @throws when there is no such listener, it has no TLS, or the new certificate does not fit its key */
  reloadTls(listener: string, tls: TlsOptions): void;
  /** Not ready from now on, and each answer is the last on its connection; everything is served as before. */
  drain(): void;
  /**
   * Drains, and takes no more connections; requests in flight have `graceMs` to finish. Resolves when every connection is closed and every
   * request on record; a second call waits for the first.
   */
  close(graceMs: number): Promise<void>;
}

interface Running {
  readonly name: string;
  readonly listener: Listener;
  readonly start: () => Promise<ListenerAddress>;
  readonly drain: () => void;
  readonly close: (graceMs: number) => Promise<void>;
}

/** What all listeners have together. */
interface Shared {
  readonly budget: PeerBudget;
  readonly inFlight: InFlight;
  readonly unsent: UnsentAnswers;
}

/** Listeners and services into servers. Nothing is opened before `start`. */
export function createServer(options: ServerOptions): HttpServer {
  const limits = { ...DEFAULT_SERVER_LIMITS, ...options.limits };
  const shared = {
    budget: new PeerBudget(systemClock, options.chainMemory),
    inFlight: new InFlight(limits.requests),
    unsent: new UnsentAnswers(limits.unsentBytes),
  };
  registerChains(options.metrics, shared.budget);
  const running = options.listeners.map((listener) => prepare(listener, options, shared));
  const drain = () => {
    options.readiness.drain();
    for (const one of running) one.drain();
  };
  const closeAll = async (graceMs: number): Promise<void> => {
    drain();
    await Promise.all(running.map((one) => one.close(graceMs)));
  };
  let closing: Promise<void> | undefined;
  const close = (graceMs: number): Promise<void> => {
    closing ??= closeAll(graceMs);
    return closing;
  };
  return {
    drain,
    close,
    async start() {
      const started = await Promise.allSettled(running.map((one) => one.start()));
      const failed = started.find((result) => result.status === 'rejected');
      if (failed) {
        await close(0);
        throw failed.reason;
      }
      return started.map((result) => (result as PromiseFulfilledResult<ListenerAddress>).value);
    },
    reloadTls(name, tls) {
      const one = running.find((candidate) => candidate.name === name);
      if (!one) throw new Error(`there is no listener ${name}`);
      one.listener.reloadTls(tls);
    },
  };
}

/** What chains of clients cost, which an operator wants to know before memory runs out. */
function registerChains(metrics: Metrics, budget: PeerBudget): void {
  metrics.total(
    'client_certificate_chains_total',
    'Chains of clients that had to be read: proven are those that led to a role by intermediates that were new.',
    ['outcome'],
    async () => Object.entries(budget.figures().chains).map(([outcome, value]) => ({ labels: { outcome }, value })),
  );
  metrics.gauge(
    'client_certificate_chain_memory_bytes',
    'What reading them has taken at most; it comes back when the process ends.',
    [],
    async () => [{ labels: {}, value: budget.figures().bytes }],
  );
}

function prepare(options: ServerOptions['listeners'][number], server: ServerOptions, shared: Shared): Running {
  const { name, limits, tls, forwarded } = options;
  const { logger, metrics, audit, readiness } = server;
  const services = [healthService(readiness), ...options.services];
  const { budget, inFlight, unsent } = shared;
  const patterns = new PathPatterns();
  const front = new Front({
    name,
    tls: tls !== undefined,
    forwarded,
    limits,
    services,
    patterns,
    logger,
    metrics,
    audit,
    inFlight,
    unsent,
  });
  const listener = new Listener(options, budget, {
    connections: (change) => metrics.connections(name, change),
    refused: (refusal) => front.refused(refusal),
    handshakeFailed: (error) => {
      metrics.handshakeFailed(name);
      logger.debug({ listener: name, err: error }, 'TLS handshake failed');
    },
    acceptFailed: (error) => logger.error({ listener: name, err: error }, 'a connection could not be accepted'),
  });
  let app: FastifyInstance | undefined;
  return {
    name,
    listener,
    async start() {
      const sending = front.sending.bind(front);
      app = await buildApp(listener, services, { logger, bodyLimit: limits.bodyBytes, audit, patterns, sending });
      const route = app.routing as Route;
      const onRequest = (request: AnyIncoming, response: AnyResponse) => front.accept(request, response, route);
      listener.server.on('request', onRequest).on('checkExpectation', onRequest);
      return { name, address: await listener.listen() };
    },
    drain: () => front.drain(),
    async close(graceMs) {
      await listener.close(graceMs);
      await front.over();
      await app?.close();
    },
  };
}
