import { Type } from 'typebox';
import { type Api, urlOf } from '../../http/api.ts';
import { pageDocument, pageOf, pageQuery } from '../../jsonapi/pagination.ts';
import { Id } from '../../jsonapi/schema.ts';
import { made, pageAnswer, resourceAnswer } from '../../openapi/answer.ts';
import type { TenancyHooks } from '../hooks/hooks.ts';
import { actorOf } from '../permissions/request-actor.ts';
import { TokenResource } from './resource.ts';
import { CreateToken, TeamTokensQuery, tokenInput } from './schema.ts';
import type { TeamTokens } from './team-tokens.ts';
import type { Tokens } from './tokens.ts';

const OfUser = Type.Object({ user_id: Id });
const OfTeam = Type.Object({ team_id: Id });
const OfOrganization = Type.Object({ organization_name: Id });
const One = Type.Object({ token_id: Id });
const List = Type.Object(pageQuery);

/** Routes for the caller's tokens, and for any token by its id. */
export function tokenRoutes(api: Api, tokens: Tokens, hooks: TenancyHooks): void {
  const one = { schema: { params: One } };
  const ofUser = '/users/:user_id/authentication-tokens';

  api.post(
    ofUser,
    { answer: made(TokenResource), schema: { params: OfUser, body: CreateToken } },
    async (request, reply) => {
      const issued = await tokens.create(actorOf(request), request.params.user_id, tokenInput(request.body));
      reply.code(201);
      return { data: TokenResource.document(issued.token, issued.text) };
    },
  );

  api.get(
    ofUser,
    { answer: pageAnswer(TokenResource), schema: { params: OfUser, querystring: List } },
    async (request) => {
      const page = pageOf(request.query);
      const { items, total } = await tokens.list(actorOf(request), request.params.user_id, page);
      const data = items.map((token) => TokenResource.document(token));
      return pageDocument(urlOf(request), page, total, data);
    },
  );

  api.get('/authentication-tokens/:token_id', { answer: resourceAnswer(TokenResource), ...one }, async (request) => {
    const [actor, id] = [actorOf(request), request.params.token_id];
    return { data: (await hooks.otherTokens.shown(actor, id)) ?? TokenResource.document(await tokens.find(actor, id)) };
  });

  api.delete('/authentication-tokens/:token_id', one, async (request, reply) => {
    const [actor, id] = [actorOf(request), request.params.token_id];
    const isOther = (await hooks.otherTokens.shown(actor, id)) !== undefined;
    await (isOther ? hooks.otherTokens : tokens).delete(actor, id);
    reply.code(204);
  });
}

/** Routes for team tokens: one path for the token without a description, another for the tokens with descriptions. */
export function teamTokenRoutes(api: Api, tokens: TeamTokens): void {
  const only = '/teams/:team_id/authentication-token';
  const many = '/teams/:team_id/authentication-tokens';
  const ofTeam = { schema: { params: OfTeam } };

  api.post(
    only,
    { answer: made(TokenResource), schema: { params: OfTeam, body: CreateToken } },
    async (request, reply) => {
      const { expiresAt } = tokenInput(request.body);
      const issued = await tokens.replaceOnly(actorOf(request), request.params.team_id, expiresAt);
      reply.code(201);
      return { data: TokenResource.document(issued.token, issued.text) };
    },
  );

  api.get(only, { answer: resourceAnswer(TokenResource), ...ofTeam }, async (request) => {
    return { data: TokenResource.document(await tokens.findOnly(actorOf(request), request.params.team_id)) };
  });

  api.delete(only, ofTeam, async (request, reply) => {
    await tokens.deleteOnly(actorOf(request), request.params.team_id);
    reply.code(204);
  });

  api.post(
    many,
    { answer: made(TokenResource), schema: { params: OfTeam, body: CreateToken } },
    async (request, reply) => {
      const issued = await tokens.create(actorOf(request), request.params.team_id, tokenInput(request.body));
      reply.code(201);
      return { data: TokenResource.document(issued.token, issued.text) };
    },
  );

  api.get(
    many,
    { answer: pageAnswer(TokenResource), schema: { params: OfTeam, querystring: List } },
    async (request) => {
      const page = pageOf(request.query);
      const { items, total } = await tokens.list(actorOf(request), request.params.team_id, page);
      const data = items.map((token) => TokenResource.document(token));
      return pageDocument(urlOf(request), page, total, data);
    },
  );

  api.get(
    '/organizations/:organization_name/team-tokens',
    { answer: pageAnswer(TokenResource), schema: { params: OfOrganization, querystring: TeamTokensQuery } },
    async (request) => {
      const { q = '', sort = 'team-name' } = request.query;
      const page = pageOf(request.query);
      const { organization_name: organization } = request.params;
      const { items, total } = await tokens.listAll(actorOf(request), organization, q, sort, page);
      const data = items.map((token) => TokenResource.document(token));
      return pageDocument(urlOf(request), page, total, data);
    },
  );
}
