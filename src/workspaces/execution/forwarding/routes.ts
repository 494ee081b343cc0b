import { Type } from 'typebox';
import type { Api } from '../../http/api.ts';
import { gone } from '../../http/gone.ts';
import { Id, resourceBody } from '../../jsonapi/schema.ts';
import { done, orNothing, resourceAnswer } from '../../openapi/answer.ts';
import { actorOf } from '../../tenancy/index.ts';
import type { ForwardedRequests } from './forwarded-requests.ts';
import { FAILURES, MAX_PART } from './forwarding.ts';
import { ForwardedRequestResource } from './resource.ts';

const ByAgent = Type.Object({ agent_id: Id });
const OneRequest = Type.Object({ agent_id: Id, request_id: Id });
/** Long-poll timeout in seconds, at most 60. */
const Waiting = Type.Object({ wait: Type.Optional(Type.String({ pattern: '^([0-9]|[1-5][0-9]|60)$' })) });
/** @limit headers of a forwarded response, headers -> 422 */
const MAX_HEADERS = 200;
/** @limit length of a header of a forwarded response, characters -> 422 */
const MAX_HEADER = 16_384;

const Headers = Type.Record(
  Type.String({ pattern: '^[a-z0-9!#$%&*+.^_|~-]{1,100}$' }),
  Type.String({ maxLength: MAX_HEADER }),
  {
    maxProperties: MAX_HEADERS,
  },
);
const Response = resourceBody(
  'forwarded-responses',
  Type.Object({
    part: Type.Integer({ minimum: 0, maximum: 1_000_000 }),
    // The first part has the head, unless the request failed.
    status: Type.Optional(Type.Integer({ minimum: 200, maximum: 599 })),
    headers: Type.Optional(Headers),
    content: Type.Optional(
      Type.String({ maxLength: MAX_PART, contentEncoding: 'base64', pattern: '^[A-Za-z0-9+/]*={0,2}$' }),
    ),
    last: Type.Optional(Type.Boolean()),
    failure: Type.Optional(Type.Enum([...FAILURES])),
  }),
  {},
);

/** Routes for agents that forward requests to VCS providers in private networks (our extension). */
export function forwardingRoutes(api: Api, requests: ForwardedRequests): void {
  const claim = { schema: { params: ByAgent, querystring: Waiting } };
  api.post(
    '/agents/:agent_id/actions/claim-forwarded-request',
    { answer: orNothing(resourceAnswer(ForwardedRequestResource)), ...claim },
    async (request, reply) => {
      const timeout = { milliseconds: Number(request.query.wait ?? 0) * 1000, signal: gone(reply) };
      const patience = { ...timeout, remoteAddress: request.peer.address };
      const claimed = await requests.claim(actorOf(request), request.params.agent_id, patience);
      reply.header('cache-control', 'no-store');
      if (claimed !== undefined) return { data: ForwardedRequestResource.document(claimed) };
      reply.code(204);
      return undefined;
    },
  );

  api.post(
    '/agents/:agent_id/forwarded-requests/:request_id/actions/respond',
    { answer: done, schema: { params: OneRequest, body: Response }, bodyLimit: 4 * MAX_PART },
    async (request, reply) => {
      const { agent_id: agentId, request_id: id } = request.params;
      const { part: number, status, headers = {}, content = '', last = false, failure } = request.body.data.attributes;
      const head = status === undefined ? undefined : { status, headers };
      const part = { head, body: content, isLast: last, failure };
      await requests.respond(actorOf(request), agentId, id, number, part, gone(reply));
      reply.code(204);
    },
  );
}
