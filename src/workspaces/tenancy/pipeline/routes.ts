import { Type } from 'typebox';
import { type Api, urlOf } from '../../http/api.ts';
import { pageDocument, pageOf, pageQuery } from '../../jsonapi/pagination.ts';
import { Id } from '../../jsonapi/schema.ts';
import { made, pageAnswer, resourceAnswer } from '../../openapi/answer.ts';
import { createBody } from '../../resource/index.ts';
import { actorOf } from '../permissions/request-actor.ts';
import type { PipelineExplainer } from './explanation.ts';
import { PipelineExplanationResource } from './explanation-resource.ts';
import type { PipelineIdentities } from './identities.ts';
import {
  ChangePipelineIdentity,
  CreatePipelineIdentity,
  pipelineIdentityChanges,
  pipelineIdentityInput,
} from './input.ts';
import { PipelineIdentityResource } from './resource.ts';

const OfTeam = Type.Object({ team_id: Id });
const One = Type.Object({ pipeline_identity_id: Id });
const List = Type.Object(pageQuery);
const Explain = createBody(PipelineExplanationResource, {});

/** Routes for pipeline identities. HCP Terraform does not have them. */
export function pipelineRoutes(api: Api, identities: PipelineIdentities, explainer: PipelineExplainer): void {
  const one = { schema: { params: One } };
  const ofTeam = '/teams/:team_id/pipeline-identities';

  api.post(
    ofTeam,
    { answer: made(PipelineIdentityResource), schema: { params: OfTeam, body: CreatePipelineIdentity } },
    async (request, reply) => {
      const input = pipelineIdentityInput(request.body);
      const identity = await identities.create(actorOf(request), request.params.team_id, input);
      reply.code(201);
      return { data: PipelineIdentityResource.document(identity) };
    },
  );

  api.get(
    ofTeam,
    { answer: pageAnswer(PipelineIdentityResource), schema: { params: OfTeam, querystring: List } },
    async (request) => {
      const page = pageOf(request.query);
      const { items, total } = await identities.list(actorOf(request), request.params.team_id, page);
      return pageDocument(urlOf(request), page, total, items.map(PipelineIdentityResource.document));
    },
  );

  api.post(
    '/teams/:team_id/pipeline-explanation',
    { answer: resourceAnswer(PipelineExplanationResource), schema: { params: OfTeam, body: Explain } },
    async (request) => {
      const { params, body } = request;
      const told = await explainer.explain(actorOf(request), params.team_id, body.data.attributes.token);
      return { data: PipelineExplanationResource.document(told) };
    },
  );

  api.get(
    '/pipeline-identities/:pipeline_identity_id',
    { answer: resourceAnswer(PipelineIdentityResource), ...one },
    async (request) => {
      return {
        data: PipelineIdentityResource.document(
          await identities.find(actorOf(request), request.params.pipeline_identity_id),
        ),
      };
    },
  );

  api.patch(
    '/pipeline-identities/:pipeline_identity_id',
    { answer: resourceAnswer(PipelineIdentityResource), schema: { params: One, body: ChangePipelineIdentity } },
    async (request) => {
      const changes = pipelineIdentityChanges(request.body);
      const id = request.params.pipeline_identity_id;
      return { data: PipelineIdentityResource.document(await identities.update(actorOf(request), id, changes)) };
    },
  );

  api.delete('/pipeline-identities/:pipeline_identity_id', one, async (request, reply) => {
    await identities.delete(actorOf(request), request.params.pipeline_identity_id);
    reply.code(204);
  });
}
