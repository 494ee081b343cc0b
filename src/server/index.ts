import type { AddressInfo } from 'node:net';
import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import { systemClock } from '../lib/clock.ts';
import type { AnyIncoming } from '../lib/request.ts';
import type { Service } from '../lib/service.ts';
import { buildApp } from './app.ts';
import type { Audit } from './audit/index.ts';
import { Front, type Route } from './front.ts';
import { healthService, type Readiness } from './health.ts';
import { DEFAULT_SERVER_LIMITS, InFlight, type ServerLimits } from './in-flight.ts';
import { type AnyResponse, Listener, type ListenerOptions, type TlsOptions } from './listener.ts';
import type { Metrics } from './metrics.ts';
import { PeerBudget } from './peer-budget.ts';
import { UnsentAnswers } from './unsent.ts';

export { Audit, type AuditHealth, type AuditSinkOptions, type AuditSinkStatus } from './audit/index.ts';
export { type HealthCheck, Readiness } from './health.ts';
export type { ServerLimits } from './in-flight.ts';
export { DEFAULT_LIMITS, type Limits } from './limits.ts';
export type { ListenerOptions, TlsOptions } from './listener.ts';
export { type Counter, Metrics } from './metrics.ts';

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
  /**
   * Not ready from now on; requests in flight have `graceMs` to finish. Resolves when every connection is closed and every
   * request on record; a second call waits for the first.
   */
  close(graceMs: number): Promise<void>;
}

interface Running {
  readonly name: string;
  readonly listener: Listener;
  readonly start: () => Promise<ListenerAddress>;
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
    budget: new PeerBudget(systemClock),
    inFlight: new InFlight(limits.requests),
    unsent: new UnsentAnswers(limits.unsentBytes),
  };
  const running = options.listeners.map((listener) => prepare(listener, options, shared));
  const closeAll = async (graceMs: number): Promise<void> => {
    options.readiness.drain();
    await Promise.all(running.map((one) => one.close(graceMs)));
  };
  let closing: Promise<void> | undefined;
  const close = (graceMs: number): Promise<void> => {
    closing ??= closeAll(graceMs);
    return closing;
  };
  return {
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

function prepare(options: ServerOptions['listeners'][number], server: ServerOptions, shared: Shared): Running {
  const { name, limits, tls, forwarded } = options;
  const { logger, metrics, audit, readiness } = server;
  const services = [healthService(readiness), ...options.services];
  const { budget, inFlight, unsent } = shared;
  const secure = tls !== undefined;
  const front = new Front({ name, tls: secure, forwarded, limits, services, logger, metrics, audit, inFlight, unsent });
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
      app = await buildApp(listener, services, { logger, bodyLimit: limits.bodyBytes, audit, sending });
      const route = app.routing as Route;
      const onRequest = (request: AnyIncoming, response: AnyResponse) => front.accept(request, response, route);
      listener.server.on('request', onRequest).on('checkExpectation', onRequest);
      return { name, address: await listener.listen() };
    },
    async close(graceMs) {
      front.drain();
      await listener.close(graceMs);
      await front.over();
      await app?.close();
    },
  };
}
