import { Type } from 'typebox';
import { type Api, urlOf } from '../../http/api.ts';
import { pageDocument, pageOf, pageQuery } from '../../jsonapi/pagination.ts';
import { Id, resourceBody, text } from '../../jsonapi/schema.ts';
import { actorOf } from '../permissions/request-actor.ts';
import { pipelineExplanationResource, pipelineIdentityResource } from './document.ts';
import type { PipelineExplainer } from './explanation.ts';
import type { PipelineIdentities } from './identities.ts';
import {
  ChangePipelineIdentity,
  CreatePipelineIdentity,
  pipelineIdentityChanges,
  pipelineIdentityInput,
} from './input.ts';

const OfTeam = Type.Object({ team_id: Id });
const One = Type.Object({ pipeline_identity_id: Id });
const List = Type.Object(pageQuery);
/** A longer text is reported as an invalid token. */
const Explain = resourceBody('pipeline-explanations', Type.Object({ token: text(100_000) }), {});

/** Routes for pipeline identities. HCP Terraform does not have them. */
export function pipelineRoutes(api: Api, identities: PipelineIdentities, explainer: PipelineExplainer): void {
  const one = { schema: { params: One } };
  const ofTeam = '/teams/:team_id/pipeline-identities';

  api.post(ofTeam, { schema: { params: OfTeam, body: CreatePipelineIdentity } }, async (request, reply) => {
    const input = pipelineIdentityInput(request.body);
    const identity = await identities.create(actorOf(request), request.params.team_id, input);
    reply.code(201);
    return { data: pipelineIdentityResource(identity) };
  });

  api.get(ofTeam, { schema: { params: OfTeam, querystring: List } }, async (request) => {
    const page = pageOf(request.query);
    const { items, total } = await identities.list(actorOf(request), request.params.team_id, page);
    return pageDocument(urlOf(request), page, total, items.map(pipelineIdentityResource));
  });

  api.post('/teams/:team_id/pipeline-explanation', { schema: { params: OfTeam, body: Explain } }, async (request) => {
    const { params, body } = request;
    const told = await explainer.explain(actorOf(request), params.team_id, body.data.attributes.token);
    return { data: pipelineExplanationResource(told) };
  });

  api.get('/pipeline-identities/:pipeline_identity_id', one, async (request) => {
    return {
      data: pipelineIdentityResource(await identities.find(actorOf(request), request.params.pipeline_identity_id)),
    };
  });

  api.patch(
    '/pipeline-identities/:pipeline_identity_id',
    { schema: { params: One, body: ChangePipelineIdentity } },
    async (request) => {
      const changes = pipelineIdentityChanges(request.body);
      const id = request.params.pipeline_identity_id;
      return { data: pipelineIdentityResource(await identities.update(actorOf(request), id, changes)) };
    },
  );

  api.delete('/pipeline-identities/:pipeline_identity_id', one, async (request, reply) => {
    await identities.delete(actorOf(request), request.params.pipeline_identity_id);
    reply.code(204);
  });
}
