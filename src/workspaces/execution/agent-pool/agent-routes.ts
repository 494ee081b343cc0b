import type { FastifyRequest } from 'fastify';
import { type Static, Type } from 'typebox';
import type { Clock } from '../../../lib/clock.ts';
import { type Api, urlOf } from '../../http/api.ts';
import { pageDocument, pageOf, pageQuery } from '../../jsonapi/pagination.ts';
import { Id, resourceBody, text, timestamp } from '../../jsonapi/schema.ts';
import { actorOf } from '../../tenancy/index.ts';
import { REPORTED } from './agent.ts';
import type { Agents } from './agents.ts';
import { agentResource } from './document.ts';

const OfPool = Type.Object({ agent_pool_id: Id });
const One = Type.Object({ agent_id: Id });
const List = Type.Object({
  ...pageQuery,
  'filter[last-ping-since]': Type.Optional(timestamp),
  sort: Type.Optional(Type.Enum(['created-at', '-created-at'])),
});
const engines = Type.Array(text(100), { maxItems: 100 });
const Register = resourceBody(
  'agents',
  Type.Object({ name: text(90), engines: Type.Optional(engines), 'any-engine': Type.Optional(Type.Boolean()) }),
  {},
);
type Registered = Static<typeof Register>['data']['attributes'];
const Report = resourceBody('agents', Type.Object({ status: Type.Enum([...REPORTED]) }), {});

/** Services of the routes. */
export interface AgentRoutesOptions {
  readonly agents: Agents;
  readonly clock: Clock;
}

/** Agent routes. Registration and reports by agents are our extension. */
export function agentRoutes(api: Api, { agents, clock }: AgentRoutesOptions): void {
  const ofPool = '/agent-pools/:agent_pool_id/agents';
  const path = '/agents/:agent_id';

  api.get(ofPool, { schema: { params: OfPool, querystring: List } }, async (request) => {
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
      items.map((agent) => agentResource(agent, now)),
    );
  });

  const registered = async (request: FastifyRequest, attributes: Registered, poolId?: string) => {
    const { name, engines = [], 'any-engine': anyEngine = true } = attributes;
    const input = { name, engines, anyEngine, ipAddress: request.peer.address };
    const agent = await agents.register(actorOf(request), input, poolId);
    return { data: agentResource(agent, clock()) };
  };

  api.post(ofPool, { schema: { params: OfPool, body: Register } }, async (request, reply) => {
    reply.code(201);
    return registered(request, request.body.data.attributes, request.params.agent_pool_id);
  });

  api.post('/agents', { schema: { body: Register } }, async (request, reply) => {
    reply.code(201);
    return registered(request, request.body.data.attributes);
  });

  api.get(path, { schema: { params: One } }, async (request) => {
    return { data: agentResource(await agents.find(actorOf(request), request.params.agent_id), clock()) };
  });

  api.patch(path, { schema: { params: One, body: Report } }, async (request) => {
    const { status } = request.body.data.attributes;
    return { data: agentResource(await agents.report(actorOf(request), request.params.agent_id, status), clock()) };
  });

  api.delete(path, { schema: { params: One } }, async (request, reply) => {
    await agents.delete(actorOf(request), request.params.agent_id);
    reply.code(204);
  });
}
