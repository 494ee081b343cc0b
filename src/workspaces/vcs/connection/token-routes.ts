import { Type } from 'typebox';
import { type Api, urlOf } from '../../http/api.ts';
import { pageDocument, pageOf, pageQuery } from '../../jsonapi/pagination.ts';
import { Id, nullable, resourceBody, text } from '../../jsonapi/schema.ts';
import { actorOf } from '../../tenancy/index.ts';
import { tokenResource } from './document.ts';
import type { OAuthTokens } from './tokens.ts';

const OfOrganization = Type.Object({ organization_name: Id });
const OfClient = Type.Object({ oauth_client_id: Id });
const One = Type.Object({ oauth_token_id: Id });
const List = Type.Object(pageQuery);
const Update = resourceBody(
  'oauth-tokens',
  Type.Optional(Type.Object({ 'ssh-key': Type.Optional(nullable(text(65_536))) })),
  {},
);

/** Routes of the tokens by which workspaces refer to a connection. */
export function oauthTokenRoutes(api: Api, tokens: OAuthTokens): void {
  const one = { schema: { params: One } };

  api.get(
    '/organizations/:organization_name/oauth-tokens',
    { schema: { params: OfOrganization, querystring: List } },
    async (request) => {
      const page = pageOf(request.query);
      const { items, total } = await tokens.list(actorOf(request), request.params.organization_name, page);
      return pageDocument(urlOf(request), page, total, items.map(tokenResource));
    },
  );

  api.get(
    '/oauth-clients/:oauth_client_id/oauth-tokens',
    { schema: { params: OfClient, querystring: List } },
    async (request) => {
      const page = pageOf(request.query);
      const { items, total } = await tokens.listOf(actorOf(request), request.params.oauth_client_id, page);
      return pageDocument(urlOf(request), page, total, items.map(tokenResource));
    },
  );

  api.get('/oauth-tokens/:oauth_token_id', one, async (request) => {
    return { data: tokenResource(await tokens.find(actorOf(request), request.params.oauth_token_id)) };
  });

  api.patch('/oauth-tokens/:oauth_token_id', { schema: { params: One, body: Update } }, async (request) => {
    const { oauth_token_id: id } = request.params;
    const key = request.body.data.attributes?.['ssh-key'];
    return { data: tokenResource(await tokens.setSshKey(actorOf(request), id, key)) };
  });

  api.delete('/oauth-tokens/:oauth_token_id', one, async (request, reply) => {
    await tokens.delete(actorOf(request), request.params.oauth_token_id);
    reply.code(204);
  });
}
