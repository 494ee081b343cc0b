import type { FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '../../lib/errors.ts';
import type { Service } from '../../lib/service.ts';
import { isMarked } from './own-request.ts';
import type { SessionApiName } from './session.ts';
import type { Sessions } from './sessions.ts';

/** Whoever presents a token of their own says so in one of these. */
const TOKEN_HEADERS = ['authorization', 'x-service-token', 'x-vault-token'];

declare module 'fastify' {
  interface FastifyRequest {
    /** The token that the session presents; undefined for requests that present their own, or none. A secret. */
    heldToken: string | undefined;
  }
}

/**
 * The service, which knows the session of our own pages as well: their requests act with the token that the session holds.
 * Everything behind sees that token alone, as if it had been presented.
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

/** @throws 400 for a request with a token beside the session: it could be meant in two ways */
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
    throw new AppError('bad-request', 'The request has a token beside the session of the console');
  }
  headers.authorization = `Bearer ${token}`;
  request.heldToken = token;
  request.event.add({ actor_via: 'console' });
  // A link to it is a download: what somebody has stored here never becomes a page of ours.
  if (!isMarked(request)) reply.header('content-disposition', 'attachment');
}

/** Some operations answer with the token that asked. A script of the page can act with the session, and not take it away. */
function withoutToken(payload: unknown, token: string | undefined): unknown {
  if (token === undefined || typeof payload !== 'string') return payload;
  return payload.replaceAll(token, 'held by the session');
}
