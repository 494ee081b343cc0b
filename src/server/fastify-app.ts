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
 * Maximum length of a path parameter, characters.
 * @limit length of one path parameter, characters -> 400
 */
const MAX_PARAMETER = 1_024;

export interface AppOptions {
  readonly logger: Logger;
  /** Default body limit, bytes. */
  readonly bodyLimit: number;
  readonly audit: Audit;
  /** Whether tracing is enabled. */
  readonly isTraced: boolean;
  /** Path patterns and methods of all routes. Building the app adds its own. */
  readonly patterns: PathPatterns;
  readonly methods: RoutedMethods;
  /** Called with the size of each response before it is sent; 0 for streams. */
  readonly sending: (context: RequestContext, bytes: number) => void;
}

/** Creates a Fastify instance with each service in its own scope. Its `routing` handles requests of our listener. */
export async function buildApp(
  listener: Listener,
  services: readonly Service[],
  { logger, bodyLimit, audit, isTraced, patterns, methods, sending }: AppOptions,
): Promise<FastifyInstance> {
  teachRouter();
  const app = fastify({
    // Fastify's types know one kind of server, but it works with both.
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
  // Unaudited routes, such as file wildcards, are not added to the path patterns.
  app.addHook('onRoute', ({ method, url, config }) => {
    for (const one of [method].flat()) methods.add(one, url);
    if (config?.audit !== false) patterns.add(url, config?.secrets);
  });
  // Registered first, so that errors behind an asynchronous hook reach its caller.
  app.addHook('onSend', (request, _reply, payload, done) => {
    sending(requestContextOf(request.raw), sizeOf(payload));
    done();
  });
  // Restores the request context, because events after the body come from the connection.
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
  // A service at the root handles only `/`.
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

/** Replaces Fastify's error handling of streams, to log aborted responses. */
class QuietLog extends LogController {
  override streamError(error: Error, request: FastifyRequest): void {
    const context = requestContextOf(request.raw);
    context.add({ response_error: error.message });
    // Fastify would end the stream with NO_ERROR, and the client would take a partial response for complete.
    if ('stream' in context.request) breakOff(context.request.stream);
  }
}
