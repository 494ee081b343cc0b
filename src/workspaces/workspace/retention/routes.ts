import { Type } from 'typebox';
import type { Api } from '../../http/api.ts';
import { Id } from '../../jsonapi/schema.ts';
import { resourceAnswer, set } from '../../openapi/answer.ts';
import { actorOf } from '../../tenancy/index.ts';
import type { RetentionPolicies } from './policies.ts';
import { RETENTION_POLICIES, retentionPolicyDocument, SetPolicy } from './resource.ts';

const OfWorkspace = Type.Object({ workspace_id: Id });
const OfOrganization = Type.Object({ organization_name: Id });

/**
 * Routes of retention policies of workspaces (spec §4.11) and organizations. Older clients use PATCH both to create
 * and to update.
 */
export function retentionRoutes(api: Api, policies: RetentionPolicies): void {
  const ofWorkspace = '/workspaces/:workspace_id/relationships/data-retention-policy';
  const ofOrganization = '/organizations/:organization_name/relationships/data-retention-policy';

  const answer = resourceAnswer(...RETENTION_POLICIES);

  api.get(ofWorkspace, { answer, schema: { params: OfWorkspace } }, async (request) => ({
    data: retentionPolicyDocument(await policies.ofWorkspace(actorOf(request), request.params.workspace_id)),
  }));

  api.get(ofOrganization, { answer, schema: { params: OfOrganization } }, async (request) => ({
    data: retentionPolicyDocument(await policies.ofOrganization(actorOf(request), request.params.organization_name)),
  }));

  for (const method of ['POST', 'PATCH'] as const) {
    const answered = method === 'POST' ? set(...RETENTION_POLICIES) : answer;
    api.route({
      method,
      url: ofWorkspace,
      answer: answered,
      schema: { params: OfWorkspace, body: SetPolicy },
      handler: async (request, reply) => {
        const { params, body } = request;
        const { policy, created } = await policies.setOfWorkspace(actorOf(request), params.workspace_id, body.data);
        reply.code(created && method === 'POST' ? 201 : 200);
        return { data: retentionPolicyDocument(policy) };
      },
    });
    api.route({
      method,
      url: ofOrganization,
      answer: answered,
      schema: { params: OfOrganization, body: SetPolicy },
      handler: async (request, reply) => {
        const { organization_name: name } = request.params;
        const { policy, created } = await policies.setOfOrganization(actorOf(request), name, request.body.data);
        reply.code(created && method === 'POST' ? 201 : 200);
        return { data: retentionPolicyDocument(policy) };
      },
    });
  }

  api.delete(ofWorkspace, { schema: { params: OfWorkspace } }, async (request, reply) => {
    await policies.removeOfWorkspace(actorOf(request), request.params.workspace_id);
    reply.code(204);
  });

  api.delete(ofOrganization, { schema: { params: OfOrganization } }, async (request, reply) => {
    await policies.removeOfOrganization(actorOf(request), request.params.organization_name);
    reply.code(204);
  });
}
