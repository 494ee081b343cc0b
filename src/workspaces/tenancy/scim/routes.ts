import { Type } from 'typebox';
import { type Api, urlOf } from '../../http/api.ts';
import { pageDocument, pageOf, pageQuery } from '../../jsonapi/pagination.ts';
import { Id, resourceBody, text } from '../../jsonapi/schema.ts';
import { done, made, pageAnswer, resourceAnswer } from '../../openapi/answer.ts';
import { actorOf } from '../permissions/request-actor.ts';
import { TokenResource } from '../token/resource.ts';
import { CreateToken, tokenInput } from '../token/schema.ts';
import { ScimGroupResource, ScimSettingsResource } from './admin-resources.ts';
import type { Scim } from './scim.ts';

const List = Type.Object({ ...pageQuery, q: Type.Optional(text(254)) });
const Page = Type.Object(pageQuery);
const OneToken = Type.Object({ token_id: Id });
const OneTeam = Type.Object({ team_id: Id });
const Settings = resourceBody('scim-settings', ScimSettingsResource.update, {});
const Link = resourceBody('scim-group-mappings', Type.Object({ 'scim-group-id': text(100) }), {});
const Pause = resourceBody('scim-group-mappings', Type.Object({ 'scim-sync-paused': Type.Boolean() }), {});

/** Routes for site administrators, as clients of HCP Terraform know them. */
export function scimRoutes(api: Api, { settings, tokens, teamLinks }: Scim): void {
  const place = '/admin/scim-settings';
  const link = '/admin/teams/:team_id/scim-group-mapping';

  api.get(place, { answer: resourceAnswer(ScimSettingsResource) }, async (request) => ({
    data: ScimSettingsResource.document(await settings.find(actorOf(request))),
  }));

  api.patch(place, { answer: resourceAnswer(ScimSettingsResource), schema: { body: Settings } }, async (request) => {
    const { enabled, paused, 'site-admin-group-scim-id': group } = request.body.data.attributes;
    const change = { enabled, paused, siteAdminGroupId: group === '' ? null : group };
    return { data: ScimSettingsResource.document(await settings.update(actorOf(request), change)) };
  });

  api.delete(place, { schema: {} }, async (request, reply) => {
    await settings.turnOff(actorOf(request));
    reply.code(204);
  });

  api.get(
    '/admin/scim-tokens',
    { answer: pageAnswer(TokenResource), schema: { querystring: Page } },
    async (request) => {
      const all = await tokens.list(actorOf(request));
      const page = pageOf(request.query);
      const shown = all.slice(page.offset, page.offset + page.size).map((token) => TokenResource.document(token));
      return pageDocument(urlOf(request), page, all.length, shown);
    },
  );

  api.post(
    '/admin/scim-tokens',
    { answer: made(TokenResource), schema: { body: CreateToken } },
    async (request, reply) => {
      const { token, text: secret } = await tokens.create(actorOf(request), tokenInput(request.body));
      reply.code(201);
      return { data: TokenResource.document(token, secret) };
    },
  );

  api.get(
    '/admin/scim-tokens/:token_id',
    { answer: resourceAnswer(TokenResource), schema: { params: OneToken } },
    async (request) => {
      return { data: TokenResource.document(await tokens.find(actorOf(request), request.params.token_id)) };
    },
  );

  api.get(
    '/admin/scim-groups',
    { answer: pageAnswer(ScimGroupResource), schema: { querystring: List } },
    async (request) => {
      const page = pageOf(request.query);
      const { items, total } = await teamLinks.list(actorOf(request), request.query.q ?? '', page);
      return pageDocument(urlOf(request), page, total, items.map(ScimGroupResource.document));
    },
  );

  api.post(link, { answer: done, schema: { params: OneTeam, body: Link } }, async (request, reply) => {
    await teamLinks.create(actorOf(request), request.params.team_id, request.body.data.attributes['scim-group-id']);
    reply.code(204);
  });

  api.patch(link, { answer: done, schema: { params: OneTeam, body: Pause } }, async (request, reply) => {
    await teamLinks.pause(actorOf(request), request.params.team_id, request.body.data.attributes['scim-sync-paused']);
    reply.code(204);
  });

  api.delete(link, { schema: { params: OneTeam } }, async (request, reply) => {
    await teamLinks.delete(actorOf(request), request.params.team_id);
    reply.code(204);
  });
}
