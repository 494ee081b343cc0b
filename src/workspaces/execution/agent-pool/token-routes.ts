import { Type } from 'typebox';
import { type Api, urlOf } from '../../http/api.ts';
import { pageDocument, pageOf, pageQuery } from '../../jsonapi/pagination.ts';
import { ANY_TYPE, Id } from '../../jsonapi/schema.ts';
import { made, pageAnswer } from '../../openapi/answer.ts';
import { actorOf } from '../../tenancy/index.ts';
import type { AgentTokens } from './agent-tokens.ts';
import { AgentTokenResource } from './resource.ts';

const OfPool = Type.Object({ agent_pool_id: Id });
/** Official clients use `agent-tokens`, the documentation says `authentication-tokens`. */
const Create = Type.Object({
  data: Type.Object({
    type: ANY_TYPE,
    attributes: AgentTokenResource.create,
  }),
});

/** Agent token routes. A single token is read like any other token. */
export function agentTokenRoutes(api: Api, tokens: AgentTokens): void {
  const path = '/agent-pools/:agent_pool_id/authentication-tokens';

  api.get(
    path,
    { answer: pageAnswer(AgentTokenResource), schema: { params: OfPool, querystring: Type.Object(pageQuery) } },
    async (request) => {
      const page = pageOf(request.query);
      const { items, total } = await tokens.list(actorOf(request), request.params.agent_pool_id, page);
      const resources = items.map((token) => AgentTokenResource.document(token));
      return pageDocument(urlOf(request), page, total, resources);
    },
  );

  api.post(
    path,
    { answer: made(AgentTokenResource), schema: { params: OfPool, body: Create } },
    async (request, reply) => {
      const { description, 'expired-at': expiredAt } = request.body.data.attributes;
      const input = { description, expiresAt: expiredAt ? Date.parse(expiredAt) : null };
      const made = await tokens.create(actorOf(request), request.params.agent_pool_id, input);
      reply.code(201);
      return { data: AgentTokenResource.document(made.token, made.text) };
    },
  );
}
