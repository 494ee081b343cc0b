import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import { AppError } from '../../lib/errors.ts';
import { answerTo, plainErrors } from '../request/error-edge.ts';
import { type RequestContext, requestContextOf } from '../request/request-context.ts';
import type { Audit } from './audit.ts';
import { requestLine, responseLine } from './audit-line.ts';

/** Methods that change nothing. Their request entry is written together with the response entry. */
const SAFE = new Set(['GET', 'HEAD', 'LIST', 'OPTIONS']);

const notBegun = () =>
  new AppError(
    'unavailable',
    'the audit log cannot be written, so the request was not executed; an operator has to check the audit sinks',
  );
const notTold = () =>
  new AppError(
    'unavailable',
    'the audit log cannot be written; the request may have been executed; an operator has to check the audit sinks',
  );

/**
 * Audits every request before its handler runs, and every response before it is sent. Register at the root of an
 * application, before any service. Routes opt out with `config: { audit: false }` or `event.unaudited()` in an
 * `onRequest` hook.
 */
export function auditHooks(app: FastifyInstance, audit: Audit, logger: Logger): void {
  app.addHook('onRequest', (request, _reply, done) => {
    if (request.routeOptions.config?.audit === false) request.event.unaudited();
    done();
  });

  app.addHook('preHandler', (request, _reply, done) => {
    const context = requestContextOf(request.raw);
    if (context.audit.isExempt) return done();
    const asked = { query: request.query, body: request.body };
    const line = requestLine(context, asked, audit.hash);
    context.audit.isAsked = true;
    if (SAFE.has(request.method)) {
      context.audit.held = line;
      return done();
    }
    write(context, [line], (isTaken) => {
      if (isTaken) return done();
      context.audit.isRefused = true;
      done(notBegun());
    });
  });

  app.addHook('preSerialization', (request, _reply, payload, done) => {
    requestContextOf(request.raw).audit.payload = payload;
    done(null, payload);
  });

  app.addHook('onSend', (request, reply, payload, done) => {
    const context = requestContextOf(request.raw);
    const { isExempt, isRefused, isAsked, isAnswered, held } = context.audit;
    // The request gate has already audited requests that were aborted before their handler ran.
    if (isExempt || isRefused || (isAnswered && !isAsked)) return done(null, payload);
    context.audit.isAnswered = true;
    const answered = { status: reply.statusCode, payload: context.audit.payload };
    const line = responseLine(context, answered, audit.hash);
    write(context, held === undefined ? [line] : [held, line], (isTaken) => {
      done(null, isTaken ? payload : withhold(request, reply, payload));
    });
  });

  /** Catches errors of `then`, which are bugs: they close this connection and not the process. */
  function write(context: RequestContext, lines: readonly string[], then: (isTaken: boolean) => void): void {
    audit
      .write(...lines)
      .then(then)
      .catch((error) => {
        logger.error({ request_id: context.id, err: error }, 'unexpected error');
        context.response.destroy();
      });
  }

  /** Replaces a response that could not be audited, including its headers. */
  function withhold(request: FastifyRequest, reply: FastifyReply, payload: unknown): string {
    const context = requestContextOf(request.raw);
    discard(payload);
    const shape = context.service?.errors ?? plainErrors;
    const { status, headers, body } = answerTo(notTold(), shape, context, logger);
    for (const name of Object.keys(reply.getHeaders())) if (name !== 'connection') reply.removeHeader(name);
    reply.code(status).headers({ ...context.headers, ...headers });
    return body;
  }
}

/** Destroys an unsent stream, which would otherwise keep its source open. */
function discard(payload: unknown): void {
  if (typeof payload !== 'object' || payload === null) return;
  if ('destroy' in payload && typeof payload.destroy === 'function') payload.destroy();
  else if (payload instanceof ReadableStream) void payload.cancel();
}
