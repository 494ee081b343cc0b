import type { FastifyRequest } from 'fastify';
import { type Static, Type } from 'typebox';
import type { Clock } from '../../../lib/clock.ts';
import { type Api, urlOf } from '../../http/api.ts';
import { pageDocument, pageOf, pageQuery } from '../../jsonapi/pagination.ts';
import { Id, resourceBody, timestamp } from '../../jsonapi/schema.ts';
import { made, pageAnswer, resourceAnswer } from '../../openapi/answer.ts';
import { createBody } from '../../resource/index.ts';
import { actorOf } from '../../tenancy/index.ts';
import type { Agents } from './agents.ts';
import { AgentResource } from './resource.ts';

const OfPool = Type.Object({ agent_pool_id: Id });
const One = Type.Object({ agent_id: Id });
const List = Type.Object({
  ...pageQuery,
  'filter[last-ping-since]': Type.Optional(timestamp),
  sort: Type.Optional(Type.Enum(['created-at', '-created-at'])),
});
const Register = createBody(AgentResource, {});
type Registered = Static<typeof Register>['data']['attributes'];
const Report = resourceBody('agents', AgentResource.update, {});

/** Services of the routes. */
export interface AgentRoutesOptions {
  readonly agents: Agents;
  readonly clock: Clock;
}

/** Agent routes. Registration and reports by agents are our extension. */
export function agentRoutes(api: Api, { agents, clock }: AgentRoutesOptions): void {
  const ofPool = '/agent-pools/:agent_pool_id/agents';
  const path = '/agents/:agent_id';

  api.get(
    ofPool,
    { answer: pageAnswer(AgentResource), schema: { params: OfPool, querystring: List } },
    async (request) => {
      const { params, query } = request;
      const page = pageOf(query);
      const since = query['filter[last-ping-since]'];
      const filter = { lastPingSince: since === undefined ? 0 : Date.parse(since), sort: query.sort };
      const { items, total } = await agents.list(actorOf(request), params.agent_pool_id, filter, page);
      const now = clock();
      return pageDocument(
        urlOf(request),
        page,
        total,
        items.map((agent) => AgentResource.document(agent, now)),
      );
    },
  );

  const registered = async (request: FastifyRequest, attributes: Registered, poolId?: string) => {
    const { name, engines = [], 'any-engine': anyEngine = true } = attributes;
    const input = { name, engines, anyEngine, ipAddress: request.peer.address };
    const agent = await agents.register(actorOf(request), input, poolId);
    return { data: AgentResource.document(agent, clock()) };
  };

  api.post(
    ofPool,
    { answer: made(AgentResource), schema: { params: OfPool, body: Register } },
    async (request, reply) => {
      reply.code(201);
      return registered(request, request.body.data.attributes, request.params.agent_pool_id);
    },
  );

  api.post('/agents', { answer: made(AgentResource), schema: { body: Register } }, async (request, reply) => {
    reply.code(201);
    return registered(request, request.body.data.attributes);
  });

  api.get(path, { answer: resourceAnswer(AgentResource), schema: { params: One } }, async (request) => {
    return { data: AgentResource.document(await agents.find(actorOf(request), request.params.agent_id), clock()) };
  });

  api.patch(path, { answer: resourceAnswer(AgentResource), schema: { params: One, body: Report } }, async (request) => {
    const { status } = request.body.data.attributes;
    return {
      data: AgentResource.document(await agents.report(actorOf(request), request.params.agent_id, status), clock()),
    };
  });

  api.delete(path, { schema: { params: One } }, async (request, reply) => {
    await agents.delete(actorOf(request), request.params.agent_id);
    reply.code(204);
  });
}
