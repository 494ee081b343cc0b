import { Type } from 'typebox';
import { type Api, urlOf } from '../../http/api.ts';
import { pageDocument, pageOf, pageQuery } from '../../jsonapi/pagination.ts';
import { Id } from '../../jsonapi/schema.ts';
import { listAnswer, made, pageAnswer, resourceAnswer } from '../../openapi/answer.ts';
import { actorOf } from '../permissions/request-actor.ts';
import type { OrganizationTokens } from './organization-tokens.ts';
import { TokenResource } from './resource.ts';
import { CreateToken, OrganizationTokenQuery, tokenInput, ttlPoliciesOf, UpdateTtlPolicies } from './schema.ts';
import type { Purpose } from './store.ts';
import type { TtlPolicies } from './ttl-policies.ts';
import { TtlPolicyResource } from './ttl-policy-resource.ts';

const OfOrganization = Type.Object({ organization_name: Id });

function purposeOf({ token }: { readonly token?: string }): Purpose {
  return token === 'audit-trails' ? 'audit-trails' : '';
}

/** Routes for the tokens of an organization and for its maximum token lifetimes. */
export function organizationTokenRoutes(api: Api, tokens: OrganizationTokens, policies: TtlPolicies): void {
  const path = '/organizations/:organization_name/authentication-token';
  const one = { schema: { params: OfOrganization, querystring: OrganizationTokenQuery } };

  api.post(
    path,
    { answer: made(TokenResource), schema: { ...one.schema, body: CreateToken } },
    async (request, reply) => {
      const { expiresAt } = tokenInput(request.body);
      const { organization_name: name } = request.params;
      const issued = await tokens.replace(actorOf(request), name, purposeOf(request.query), expiresAt);
      reply.code(201);
      return { data: TokenResource.document(issued.token, issued.text) };
    },
  );

  api.get(path, { answer: resourceAnswer(TokenResource), ...one }, async (request) => {
    const { organization_name: name } = request.params;
    return { data: TokenResource.document(await tokens.find(actorOf(request), name, purposeOf(request.query))) };
  });

  // Lists the token if there is one, so that clients need not handle a 404.
  const Listed = Type.Object({ ...pageQuery, ...OrganizationTokenQuery.properties });
  api.get(
    `${path}s`,
    { answer: pageAnswer(TokenResource), schema: { params: OfOrganization, querystring: Listed } },
    async (request) => {
      const page = pageOf(request.query);
      const all = await tokens.list(actorOf(request), request.params.organization_name, purposeOf(request.query));
      const shown = all.slice(page.offset, page.offset + page.size).map((token) => TokenResource.document(token));
      return pageDocument(urlOf(request), page, all.length, shown);
    },
  );

  api.delete(path, one, async (request, reply) => {
    await tokens.delete(actorOf(request), request.params.organization_name, purposeOf(request.query));
    reply.code(204);
  });

  const ofPolicies = '/organizations/:organization_name/token-ttl-policies';
  const List = Type.Object(pageQuery);

  api.get(
    ofPolicies,
    { answer: pageAnswer(TtlPolicyResource), schema: { params: OfOrganization, querystring: List } },
    async (request) => {
      const page = pageOf(request.query);
      const all = await policies.list(actorOf(request), request.params.organization_name);
      const shown = all.slice(page.offset, page.offset + page.size);
      return pageDocument(urlOf(request), page, all.length, shown.map(TtlPolicyResource.document));
    },
  );

  api.patch(
    ofPolicies,
    { answer: listAnswer(TtlPolicyResource), schema: { params: OfOrganization, body: UpdateTtlPolicies } },
    async (request) => {
      const given = ttlPoliciesOf(request.body);
      const all = await policies.update(actorOf(request), request.params.organization_name, given);
      return { data: all.map(TtlPolicyResource.document) };
    },
  );
}
