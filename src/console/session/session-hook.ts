import type { FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '../../lib/errors.ts';
import type { Service } from '../../lib/service.ts';
import { isMarked } from './own-request.ts';
import type { SessionApiName } from './session.ts';
import type { Sessions } from './sessions.ts';

/** Headers in which a client sends a token of its own. */
const TOKEN_HEADERS = ['authorization', 'x-service-token', 'x-vault-token'];

declare module 'fastify' {
  interface FastifyRequest {
    /** The session's token; undefined for a request with a token of its own or without one. A secret. */
    heldToken: string | undefined;
  }
}

/**
 * Wraps a service so that it accepts the console's session cookie: requests of console pages act with the session's
 * token. The service sees only this token, as if the client had sent it.
 */
export function withSessions(service: Service, side: SessionApiName, sessions: Sessions): Service {
  return {
    ...service,
    async routes(app) {
      app.decorateRequest('heldToken', undefined);
      app.addHook('onRequest', (request, reply) => presentToken(request, reply, side, sessions));
      app.addHook('onSend', (request, _reply, payload, done) => {
        done(null, withoutToken(payload, request.heldToken));
      });
      await service.routes(app);
    },
  };
}

/** @throws 400 for a request with both a token and a session, because the intended caller is ambiguous */
async function presentToken(
  request: FastifyRequest,
  reply: FastifyReply,
  side: SessionApiName,
  sessions: Sessions,
): Promise<void> {
  const token = await sessions.tokenOf(request, side);
  if (token === undefined) return;
  const { headers } = request.raw;
  if (TOKEN_HEADERS.some((name) => headers[name] !== undefined)) {
    throw new AppError('bad-request', 'The request has both a token and a console session. Send only one of them');
  }
  headers.authorization = `Bearer ${token}`;
  request.heldToken = token;
  request.event.add({ actor_via: 'console' });
  // A link to the API downloads the response, so that stored content is never shown as a page of the console.
  if (!isMarked(request)) reply.header('content-disposition', 'attachment');
}

/**
 * Removes the session's token from responses of operations that return the caller's token. A script of the page can act
 * with the session, but cannot read its token.
 */
function withoutToken(payload: unknown, token: string | undefined): unknown {
  if (token === undefined || typeof payload !== 'string') return payload;
  return payload.replaceAll(token, 'held by the session');
}
