import { Type } from 'typebox';
import { type Api, urlOf } from '../../http/api.ts';
import { pageDocument, pageOf, pageQuery } from '../../jsonapi/pagination.ts';
import { Id, text } from '../../jsonapi/schema.ts';
import { made, pageAnswer, resourceAnswer } from '../../openapi/answer.ts';
import { createBody } from '../../resource/index.ts';
import { actorOf } from '../permissions/request-actor.ts';
import { TokenResource } from '../token/resource.ts';
import { CreateToken, tokenInput } from '../token/schema.ts';
import { siteUserResource, UserResource } from '../user/resource.ts';
import type { SiteUsers } from './site-users.ts';

const One = Type.Object({ user_id: Id });
const flag = Type.Optional(Type.Enum(['true', 'false']));
const List = Type.Object({
  ...pageQuery,
  q: Type.Optional(text(254)),
  'filter[admin]': flag,
  'filter[suspended]': flag,
});
const Create = createBody(UserResource, {});

const asFlag = (value: 'true' | 'false' | undefined) => (value === undefined ? undefined : value === 'true');

/** Routes for the users of the server. Creating a user and issuing a token for them are beyond HCP Terraform. */
export function siteUserRoutes(api: Api, users: SiteUsers): void {
  const one = '/admin/users/:user_id';

  api.get('/admin/users', { answer: pageAnswer(UserResource), schema: { querystring: List } }, async (request) => {
    const { q = '', 'filter[admin]': admin, 'filter[suspended]': suspended } = request.query;
    const page = pageOf(request.query);
    const filter = { query: q, admin: asFlag(admin), suspended: asFlag(suspended) };
    const { items, total } = await users.list(actorOf(request), filter, page);
    return pageDocument(urlOf(request), page, total, items.map(siteUserResource));
  });

  api.post('/admin/users', { answer: made(UserResource), schema: { body: Create } }, async (request, reply) => {
    const { username, email, 'is-admin': siteAdmin = false } = request.body.data.attributes;
    const user = await users.create(actorOf(request), { username, email, siteAdmin });
    reply.code(201);
    return { data: siteUserResource(user) };
  });

  api.get(one, { answer: resourceAnswer(UserResource), schema: { params: One } }, async (request) => {
    return { data: siteUserResource(await users.find(actorOf(request), request.params.user_id)) };
  });

  api.post(
    `${one}/authentication-tokens`,
    { answer: made(TokenResource), schema: { params: One, body: CreateToken } },
    async (request, reply) => {
      const issued = await users.issueToken(actorOf(request), request.params.user_id, tokenInput(request.body));
      reply.code(201);
      return { data: TokenResource.document(issued.token, issued.text) };
    },
  );

  for (const action of ['suspend', 'unsuspend'] as const) {
    api.post(
      `${one}/actions/${action}`,
      { answer: resourceAnswer(UserResource), schema: { params: One } },
      async (request) => {
        const { user_id: id } = request.params;
        return { data: siteUserResource(await users.setSuspended(actorOf(request), id, action === 'suspend')) };
      },
    );
  }

  for (const action of ['grant_admin', 'revoke_admin'] as const) {
    api.post(
      `${one}/actions/${action}`,
      { answer: resourceAnswer(UserResource), schema: { params: One } },
      async (request) => {
        const { user_id: id } = request.params;
        return { data: siteUserResource(await users.setSiteAdmin(actorOf(request), id, action === 'grant_admin')) };
      },
    );
  }
}
