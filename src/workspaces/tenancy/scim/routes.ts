import { Type } from 'typebox';
import { type Api, urlOf } from '../../http/api.ts';
import type { Resource } from '../../jsonapi/document.ts';
import { pageDocument, pageOf, pageQuery } from '../../jsonapi/pagination.ts';
import { Id, nullable, resourceBody, text } from '../../jsonapi/schema.ts';
import { actorOf } from '../permissions/request-actor.ts';
import { tokenResource } from '../token/document.ts';
import { CreateToken, tokenInput } from '../token/schema.ts';
import type { Scim } from './scim.ts';
import type { ScimSettings } from './settings.ts';

const List = Type.Object({ ...pageQuery, q: Type.Optional(text(254)) });
const Page = Type.Object(pageQuery);
const OneToken = Type.Object({ token_id: Id });
const OneTeam = Type.Object({ team_id: Id });
const Settings = resourceBody(
  'scim-settings',
  Type.Partial(
    Type.Object({
      enabled: Type.Boolean(),
      paused: Type.Boolean(),
      'site-admin-group-scim-id': nullable(text(100)),
    }),
  ),
  {},
);
const Link = resourceBody('scim-group-mappings', Type.Object({ 'scim-group-id': text(100) }), {});
const Pause = resourceBody('scim-group-mappings', Type.Object({ 'scim-sync-paused': Type.Boolean() }), {});

/** Routes for site administrators, as clients of HCP Terraform know them. */
export function scimRoutes(api: Api, { settings, tokens, teamLinks }: Scim): void {
  const place = '/admin/scim-settings';
  const link = '/admin/teams/:team_id/scim-group-mapping';

  api.get(place, { schema: {} }, async (request) => ({
    data: settingsResource(await settings.find(actorOf(request))),
  }));

  api.patch(place, { schema: { body: Settings } }, async (request) => {
    const { enabled, paused, 'site-admin-group-scim-id': group } = request.body.data.attributes;
    const change = { enabled, paused, siteAdminGroupId: group === '' ? null : group };
    return { data: settingsResource(await settings.update(actorOf(request), change)) };
  });

  api.delete(place, { schema: {} }, async (request, reply) => {
    await settings.turnOff(actorOf(request));
    reply.code(204);
  });

  api.get('/admin/scim-tokens', { schema: { querystring: Page } }, async (request) => {
    const all = await tokens.list(actorOf(request));
    const page = pageOf(request.query);
    const shown = all.slice(page.offset, page.offset + page.size).map((token) => tokenResource(token));
    return pageDocument(urlOf(request), page, all.length, shown);
  });

  api.post('/admin/scim-tokens', { schema: { body: CreateToken } }, async (request, reply) => {
    const { token, text: secret } = await tokens.create(actorOf(request), tokenInput(request.body));
    reply.code(201);
    return { data: tokenResource(token, secret) };
  });

  api.get('/admin/scim-tokens/:token_id', { schema: { params: OneToken } }, async (request) => {
    return { data: tokenResource(await tokens.find(actorOf(request), request.params.token_id)) };
  });

  api.get('/admin/scim-groups', { schema: { querystring: List } }, async (request) => {
    const page = pageOf(request.query);
    const { items, total } = await teamLinks.list(actorOf(request), request.query.q ?? '', page);
    const shown = items.map(({ id, displayName }) => ({ id, type: 'scim-groups', attributes: { name: displayName } }));
    return pageDocument(urlOf(request), page, total, shown);
  });

  api.post(link, { schema: { params: OneTeam, body: Link } }, async (request, reply) => {
    await teamLinks.create(actorOf(request), request.params.team_id, request.body.data.attributes['scim-group-id']);
    reply.code(204);
  });

  api.patch(link, { schema: { params: OneTeam, body: Pause } }, async (request, reply) => {
    await teamLinks.pause(actorOf(request), request.params.team_id, request.body.data.attributes['scim-sync-paused']);
    reply.code(204);
  });

  api.delete(link, { schema: { params: OneTeam } }, async (request, reply) => {
    await teamLinks.delete(actorOf(request), request.params.team_id);
    reply.code(204);
  });
}

function settingsResource({ enabled, paused, siteAdminGroupId, siteAdminGroupName }: ScimSettings): Resource {
  return {
    id: 'scim',
    type: 'scim-settings',
    attributes: {
      enabled,
      paused,
      'site-admin-group-scim-id': siteAdminGroupId,
      'site-admin-group-display-name': siteAdminGroupName,
    },
  };
}
