import { Type } from 'typebox';
import { isoTime } from '../../lib/clock.ts';
import { type Api, actorOf, urlOf } from '../http/api.ts';
import { type Resource, toOne } from '../jsonapi/document.ts';
import { pageDocument, pageOf, pageQuery } from '../jsonapi/pagination.ts';
import { Id, nullable, resourceBody, text, timestamp } from '../jsonapi/schema.ts';
import type { Token, Tokens } from './tokens.ts';

const OfUser = Type.Object({ user_id: Id });
const One = Type.Object({ token_id: Id });
const Create = resourceBody(
  'authentication-tokens',
  Type.Object({
    description: Type.Optional(nullable(text(255))),
    'expired-at': Type.Optional(nullable(timestamp)),
  }),
  {},
);

/** `text` is given where the token was just made. */
function tokenResource(token: Token, tokenText: string | null = null): Resource {
  const time = (milliseconds: number | null) => (milliseconds === null ? null : isoTime(milliseconds));
  return {
    id: token.id,
    type: 'authentication-tokens',
    attributes: {
      token: tokenText,
      description: token.description,
      'created-at': isoTime(token.createdAt),
      'last-used-at': time(token.lastUsedAt),
      'expired-at': time(token.expiresAt),
    },
    relationships: { 'created-by': toOne('users', token.createdBy) },
  };
}

/** The tokens of the caller. */
export function tokenRoutes(api: Api, tokens: Tokens): void {
  const ofUser = { schema: { params: OfUser } };
  const one = { schema: { params: One } };

  api.post(
    '/users/:user_id/authentication-tokens',
    { schema: { params: OfUser, body: Create } },
    async (request, reply) => {
      const { description, 'expired-at': expiredAt } = request.body.data.attributes;
      const input = { description: description ?? '', expiresAt: expiredAt ? Date.parse(expiredAt) : null };
      const issued = await tokens.create(actorOf(request), request.params.user_id, input);
      reply.code(201);
      return { data: tokenResource(issued.token, issued.text) };
    },
  );

  api.get(
    '/users/:user_id/authentication-tokens',
    { schema: { ...ofUser.schema, querystring: Type.Object(pageQuery) } },
    async (request) => {
      const page = pageOf(request.query);
      const { items, total } = await tokens.list(actorOf(request), request.params.user_id, page);
      return pageDocument(
        urlOf(request),
        page,
        total,
        items.map((token) => tokenResource(token)),
      );
    },
  );

  api.get('/authentication-tokens/:token_id', one, async (request) => {
    return { data: tokenResource(await tokens.find(actorOf(request), request.params.token_id)) };
  });

  api.delete('/authentication-tokens/:token_id', one, async (request, reply) => {
    await tokens.delete(actorOf(request), request.params.token_id);
    reply.code(204);
  });
}
