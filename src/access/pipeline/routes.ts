import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { DurationError, parseSeconds } from '../../lib/duration.ts';
import { AppError } from '../../lib/errors.ts';
import { envelope, type WrapInfo } from '../operation/envelope.ts';
import { requestBody } from '../operation/fields.ts';
import type { Reply } from '../operation/operation.ts';
import { dataOf } from '../operation/verb.ts';
import type { Wrapping } from '../wrapping/index.ts';
import { acceptAnyJson } from './body.ts';
import type { Admitted, Pipeline } from './pipeline.ts';

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'LIST'];
const WRITES = new Set(['POST', 'PUT', 'PATCH']);

declare module 'fastify' {
  interface FastifyRequest {
    /** The request after the access pipeline has admitted it. Undefined in other APIs. */
    admitted: Admitted | undefined;
  }
}

/** Registers the pipeline for every path below `/v1`. */
export function apiRoutes(app: FastifyInstance, pipeline: Pipeline, wrapping: Wrapping): void {
  app.decorateRequest('admitted', undefined);
  // Fastify adds a charset, which official clients reject.
  app.addHook('onSend', (_request, reply, payload, done) => {
    if (payload) reply.header('content-type', 'application/json');
    done(null, payload);
  });
  acceptAnyJson(app, ({ admitted, routeOptions }) => ({
    limit: admitted?.bodyLimit ?? routeOptions.bodyLimit ?? 0,
    longTexts: admitted?.longTexts ?? false,
  }));
  app.route({
    method: METHODS,
    url: '/*',
    // Before the body is read: an unauthorized client must not make the server read one.
    onRequest: async (request) => {
      request.admitted = await pipeline.admit(request);
      request.event.setRoute(`/v1/${request.admitted.route}`);
    },
    handler: (request, reply) => answer(request, reply, wrapping),
  });
}

async function answer(request: FastifyRequest, reply: FastifyReply, wrapping: Wrapping): Promise<FastifyReply> {
  const { admitted } = request;
  if (!admitted) throw new Error('a request without admission');
  const writes = WRITES.has(request.method);
  if (writes && !admitted.endsOpen && request.target.parts.at(-1) === '')
    throw new AppError('bad-request', "cannot write to a path ending in '/'");
  const wrapTtl = wrapTtlOf(request);
  const data = writes ? requestBody(request.body) : dataOf(request.query);
  const result = await admitted.run(data, wrapTtl);
  const wrapped =
    wrapTtl > 0 && isWrappable(result, admitted) ? await wrapping.wrap(result, wrapTtl, admitted) : undefined;
  return send(request, reply, result, wrapped);
}

/**
 * Returns `X-Vault-Wrap-TTL` in seconds: a number or a duration. 0: no wrapping.
 * @throws AppError bad-request
 */
function wrapTtlOf({ headers }: FastifyRequest): number {
  const text = headers['x-vault-wrap-ttl'] ?? headers['x-service-wrap-ttl'];
  if (typeof text !== 'string' || text === '') return 0;
  try {
    // Rounds a fraction of a second up to one, because 0 would mean no wrapping.
    return parseSeconds(text) || Number(/[1-9]/.test(text));
  } catch (error) {
    if (!(error instanceof DurationError)) throw error;
    throw new AppError('bad-request', `X-Vault-Wrap-TTL: ${error.message}`);
  }
}

const isEmpty = ({ data, auth, warnings }: Reply): boolean => !data && !auth && !warnings?.length;
const isWrappable = (reply: Reply, { open }: Admitted): boolean =>
  !reply.bare && !reply.document && !reply.stream && !isEmpty(reply) && (!open || reply.auth !== undefined);

function send(
  request: FastifyRequest,
  reply: FastifyReply,
  result: Reply,
  wrapInfo: WrapInfo | undefined,
): FastifyReply {
  const { bare, document, stream, flat, data, status } = result;
  if (isEmpty(result) && !bare && !document && !stream) return reply.code(status ?? 204).send();
  reply.code(status ?? 200);
  if (document || bare) return reply.send(document ?? bare);
  const body = wrapInfo
    ? envelope(request.id, { wrapInfo })
    : { ...(flat ? data : {}), ...envelope(request.id, result) };
  return reply.send(stream ? stream(JSON.stringify(body)) : body);
}
