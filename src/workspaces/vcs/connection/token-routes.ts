import { Type } from 'typebox';
import { type Api, urlOf } from '../../http/api.ts';
import { pageDocument, pageOf, pageQuery } from '../../jsonapi/pagination.ts';
import { Id } from '../../jsonapi/schema.ts';
import { pageAnswer, resourceAnswer } from '../../openapi/answer.ts';
import { updateBody } from '../../resource/index.ts';
import { actorOf } from '../../tenancy/index.ts';
import { OAuthTokenResource } from './resource.ts';
import type { OAuthTokens } from './tokens.ts';

const OfOrganization = Type.Object({ organization_name: Id });
const OfClient = Type.Object({ oauth_client_id: Id });
const One = Type.Object({ oauth_token_id: Id });
const List = Type.Object(pageQuery);
const Update = updateBody(OAuthTokenResource, {});

/** Routes of the tokens by which workspaces refer to a connection. */
export function oauthTokenRoutes(api: Api, tokens: OAuthTokens): void {
  const listed = pageAnswer(OAuthTokenResource);
  const answer = resourceAnswer(OAuthTokenResource);

  api.get(
    '/organizations/:organization_name/oauth-tokens',
    { answer: listed, schema: { params: OfOrganization, querystring: List } },
    async (request) => {
      const page = pageOf(request.query);
      const { items, total } = await tokens.list(actorOf(request), request.params.organization_name, page);
      return pageDocument(urlOf(request), page, total, items.map(OAuthTokenResource.document));
    },
  );

  api.get(
    '/oauth-clients/:oauth_client_id/oauth-tokens',
    { answer: listed, schema: { params: OfClient, querystring: List } },
    async (request) => {
      const page = pageOf(request.query);
      const { items, total } = await tokens.listOf(actorOf(request), request.params.oauth_client_id, page);
      return pageDocument(urlOf(request), page, total, items.map(OAuthTokenResource.document));
    },
  );

  api.get('/oauth-tokens/:oauth_token_id', { answer, schema: { params: One } }, async (request) => {
    return { data: OAuthTokenResource.document(await tokens.find(actorOf(request), request.params.oauth_token_id)) };
  });

  api.patch('/oauth-tokens/:oauth_token_id', { answer, schema: { params: One, body: Update } }, async (request) => {
    const { oauth_token_id: id } = request.params;
    const key = request.body.data.attributes?.['ssh-key'];
    return { data: OAuthTokenResource.document(await tokens.setSshKey(actorOf(request), id, key)) };
  });

  api.delete('/oauth-tokens/:oauth_token_id', { schema: { params: One } }, async (request, reply) => {
    await tokens.delete(actorOf(request), request.params.oauth_token_id);
    reply.code(204);
  });
}
