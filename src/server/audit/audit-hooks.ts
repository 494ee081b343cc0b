import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import { AppError } from '../../lib/errors.ts';
import { answerTo, plainErrors } from '../request/error-edge.ts';
import { type RequestContext, requestContextOf } from '../request/request-context.ts';
import type { Audit } from './audit.ts';
import { requestLine, responseLine } from './audit-line.ts';

/** These change nothing, so their line waits for that of the answer, and both share one write. */
const SAFE = new Set(['GET', 'HEAD', 'LIST', 'OPTIONS']);

const notBegun = () => new AppError('unavailable', 'the audit record cannot be written: nothing was done');
const notTold = () =>
  new AppError('unavailable', 'the audit record cannot be written: what was asked for may have been done');

/**
 * No request is carried out and no answer is sent before it is on record. For the root of an application, before any service:
 * every route is recorded, unless it says `config: { audit: false }` or its `onRequest` hook says `event.unaudited()`.
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
    // Of what was broken off before it was carried out, the request gate has told already.
    if (isExempt || isRefused || (isAnswered && !isAsked)) return done(null, payload);
    context.audit.isAnswered = true;
    const answered = { status: reply.statusCode, payload: context.audit.payload };
    const line = responseLine(context, answered, audit.hash);
    write(context, held === undefined ? [line] : [held, line], (isTaken) => {
      done(null, isTaken ? payload : withhold(request, reply, payload));
    });
  });

  /** What `then` throws is a bug that nobody else would catch from here on: it costs this connection, not the process. */
  function write(context: RequestContext, lines: readonly string[], then: (isTaken: boolean) => void): void {
    audit
      .write(...lines)
      .then(then)
      .catch((error) => {
        logger.error({ request_id: context.id, err: error }, 'unexpected error');
        context.response.destroy();
      });
  }

  /** What takes the place of an answer that is not on record: nothing of it is left, headers included. */
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

/** A stream that is not sent would keep what it reads from open. */
function discard(payload: unknown): void {
  if (typeof payload !== 'object' || payload === null) return;
  if ('destroy' in payload && typeof payload.destroy === 'function') payload.destroy();
  else if (payload instanceof ReadableStream) void payload.cancel();
}
