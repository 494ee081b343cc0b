import type { AddressInfo } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { PathPatterns } from '../lib/path-patterns.ts';
import type { AnyIncoming, AnyResponse } from '../lib/request.ts';
import type { Service } from '../lib/service.ts';
import { Listener, type ListenerOptions, type TlsOptions } from './connection/listener.ts';
import { buildApp } from './fastify-app.ts';
import { answerConnect } from './http1/connect.ts';
import type { PeerBudget } from './peer/peer-budget.ts';
import { RoutedMethods } from './request/routed-methods.ts';
import { RequestGate, type Route, type ServerContext } from './request-gate.ts';

export interface ListenerAddress {
  /** Options of the listener. */
  readonly name: string;
  readonly address: AddressInfo;
}

/** An endpoint: a listener, the request gate behind it, and a Fastify application with the services. */
export class Endpoint {
  readonly name: string;
  readonly #options: ListenerOptions;
  readonly #services: readonly Service[];
  readonly #common: ServerContext;
  readonly #patterns = new PathPatterns();
  readonly #methods = new RoutedMethods();
  readonly #gate: RequestGate;
  readonly #listener: Listener;
  #app: FastifyInstance | undefined;

  constructor(options: ListenerOptions, services: readonly Service[], budget: PeerBudget, common: ServerContext) {
    const { name } = options;
    const { metrics, logger } = common;
    this.name = name;
    this.#options = options;
    this.#services = services;
    this.#common = common;
    this.#gate = new RequestGate(options, services, { patterns: this.#patterns, methods: this.#methods }, common);
    this.#listener = new Listener(options, budget, {
      connections: (change) => metrics.connections(name, change),
      refused: (refusal) => this.#gate.refused(refusal),
      handshakeFailed: (error) => {
        metrics.handshakeFailed(name);
        logger.debug({ listener: name, err: error }, 'TLS handshake failed');
      },
      acceptFailed: (error) => logger.error({ listener: name, err: error }, 'failed to accept a connection'),
    });
  }

  /** @throws the error of `net.Server#listen` */
  async start(): Promise<ListenerAddress> {
    const { logger, audit, tracing } = this.#common;
    this.#app = await buildApp(this.#listener, this.#services, {
      ...{ logger, audit, isTraced: tracing !== undefined, patterns: this.#patterns, methods: this.#methods },
      bodyLimit: this.#options.limits.bodyBytes,
      sending: (context, bytes) => this.#gate.sending(context, bytes),
    });
    const route = this.#app.routing as Route;
    const onRequest = (request: AnyIncoming, response: AnyResponse) => this.#gate.accept(request, response, route);
    this.#listener.server.on('request', onRequest).on('checkExpectation', onRequest);
    answerConnect(this.#listener.server, onRequest);
    return { name: this.name, address: await this.#listener.listen() };
  }

  /** @throws if it has no TLS, or the certificate does not match its key */
  reloadTls(tls: TlsOptions): void {
    this.#listener.reloadTls(tls);
  }

  /** Closes each connection after its next response. */
  drain(): void {
    this.#gate.drain();
  }

  /** Resolves when all connections are closed and all requests are audited. */
  async close(graceMs: number): Promise<void> {
    await this.#listener.close(graceMs);
    await this.#gate.over();
    await this.#app?.close();
  }
}
