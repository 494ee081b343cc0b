import type { Server } from 'node:http';
import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest, LogController } from 'fastify';
import type { Logger } from 'pino';
import { AppError } from '../lib/errors.ts';
import type { PathPatterns } from '../lib/path-patterns.ts';
import type { Service } from '../lib/service.ts';
import { type Audit, auditHooks } from './audit/index.ts';
import type { Listener } from './connection/listener.ts';
import { breakOff } from './flow-control/unread-body.ts';
import { teachRouter } from './http1/list-method.ts';
import { errorHandler, plainErrors } from './request/error-edge.ts';
import { type RequestContext, requestContextOf } from './request/request-context.ts';
import type { RoutedMethods } from './request/routed-methods.ts';

/**
 * Longest part of a path that a route takes as a parameter, characters.
 * @limit a part of a path that is a parameter, characters -> 400
 */
const MAX_PARAMETER = 1_024;

export interface AppOptions {
  readonly logger: Logger;
  /** Bytes. */
  readonly bodyLimit: number;
  readonly audit: Audit;
  /** Whether requests may be part of traces. */
  readonly isTraced: boolean;
  /** Path patterns of all routes; building the app adds its own. `methods` collects the methods in the same way. */
  readonly patterns: PathPatterns;
  readonly methods: RoutedMethods;
  /** Told of each answer before it is sent: its bytes, 0 when it streams. */
  readonly sending: (context: RequestContext, bytes: number) => void;
}

/** A Fastify instance over a listener of ours, with each service in a scope of its own. Its `routing` answers requests. */
export async function buildApp(
  listener: Listener,
  services: readonly Service[],
  { logger, bodyLimit, audit, isTraced, patterns, methods, sending }: AppOptions,
): Promise<FastifyInstance> {
  teachRouter();
  const app = fastify({
    // Fastify's types know one kind of server; it works with either.
    serverFactory: () => listener.server as Server,
    clientErrorHandler: () => {},
    logController: new QuietLog({ disableRequestLogging: true }),
    genReqId: (request) => requestContextOf(request).id,
    bodyLimit,
    routerOptions: { maxParamLength: MAX_PARAMETER },
    ajv: { customOptions: { coerceTypes: false, removeAdditional: false, useDefaults: false, allErrors: true } },
    frameworkErrors: (error, request, reply) => {
      enter(request, reply);
      const shape = requestContextOf(request.raw).service?.errors ?? plainErrors;
      return errorHandler(shape, logger)(error, request, reply);
    },
  });
  app.addHttpMethod('LIST');
  app.removeAllContentTypeParsers();
  decorate(app);
  app.addHook('onRequest', (request, reply, done) => {
    enter(request, reply);
    if (!request.is404) requestContextOf(request.raw).route = request.routeOptions.url;
    done();
  });
  // Routes of which nothing is recorded, such as those of all files below a path, tell nothing of the others.
  app.addHook('onRoute', ({ method, url, config }) => {
    for (const one of [method].flat()) methods.add(one, url);
    if (config?.audit !== false) patterns.add(url, config?.secrets);
  });
  // First: what throws behind a hook that waits must reach who waits.
  app.addHook('onSend', (request, _reply, payload, done) => {
    sending(requestContextOf(request.raw), sizeOf(payload));
    done();
  });
  // What comes after the body comes from the connection, which belongs to no request.
  if (isTraced) {
    app.addHook('preValidation', (request, _reply, done) => {
      const { trace } = requestContextOf(request.raw);
      if (trace) trace.within(done);
      else done();
    });
  }
  if (audit.isEnabled) auditHooks(app, audit, logger);
  app.setErrorHandler(errorHandler(plainErrors, logger));
  app.setNotFoundHandler(() => {
    throw new AppError('not-found', 'no such path');
  });
  for (const service of services)
    await app.register((scope) => mount(scope, service, logger), { prefix: service.prefix });
  await app.ready();
  return app;
}

async function mount(scope: FastifyInstance, service: Service, logger: Logger): Promise<void> {
  scope.setErrorHandler(errorHandler(service.errors, logger));
  // What is mounted at the root has `/` alone.
  if (service.prefix !== '')
    scope.setNotFoundHandler((request) => {
      throw service.notFound(request);
    });
  await service.routes(scope);
}

function enter(request: FastifyRequest, reply: FastifyReply): void {
  const context = requestContextOf(request.raw);
  context.reply = reply;
  reply.headers(context.headers);
}

function sizeOf(payload: unknown): number {
  if (typeof payload === 'string') return Buffer.byteLength(payload);
  return payload instanceof Uint8Array ? payload.byteLength : 0;
}

function decorate(app: FastifyInstance): void {
  app.decorateRequest('peer', {
    getter(this: FastifyRequest) {
      return requestContextOf(this.raw).peer;
    },
  });
  app.decorateRequest('event', {
    getter(this: FastifyRequest) {
      return requestContextOf(this.raw);
    },
  });
  app.decorateRequest('target', {
    getter(this: FastifyRequest) {
      return requestContextOf(this.raw).target;
    },
  });
}

/** Our own event for each request takes the place of Fastify's; what it adds is a response that broke off. */
class QuietLog extends LogController {
  override streamError(error: Error, request: FastifyRequest): void {
    const context = requestContextOf(request.raw);
    context.add({ response_error: error.message });
    // Fastify would end the stream with NO_ERROR, and a part of the answer would pass for all of it.
    if ('stream' in context.request) breakOff(context.request.stream);
  }
}
