import { Type } from 'typebox';
import { type Api, actorOf, urlOf } from '../http/api.ts';
import { pageDocument, pageOf, pageQuery } from '../jsonapi/pagination.ts';
import { commaList, Id, nullable, nullableEnum, resourceBody, text } from '../jsonapi/schema.ts';
import { ACCESS_FLAGS, type OrganizationAccess } from '../permissions/grants.ts';
import { teamResource } from './document.ts';
import type { TeamInput, Teams } from './teams.ts';

const OfOrganization = Type.Object({ organization_name: Id });
const One = Type.Object({ team_id: Id });
const List = Type.Object({ ...pageQuery, 'filter[names]': Type.Optional(text(1000)) });

const flag = Type.Optional(nullable(Type.Boolean()));
const Settings = {
  visibility: Type.Optional(nullableEnum(['secret', 'organization'])),
  'organization-access': Type.Optional(
    Type.Object({
      'manage-workspaces': flag,
      'read-workspaces': flag,
      'manage-projects': flag,
      'read-projects': flag,
    }),
  ),
};
const Create = resourceBody('teams', Type.Object({ name: text(90), ...Settings }), {});
const Update = resourceBody('teams', Type.Object({ name: Type.Optional(text(90)), ...Settings }), {});

interface Attributes {
  readonly visibility?: 'secret' | 'organization' | null;
  readonly 'organization-access'?: { readonly [Flag in keyof OrganizationAccess]?: boolean | null };
}

/** Null is the default, as if it were new; what is absent stays out. */
function settingsOf({ visibility, 'organization-access': access = {} }: Attributes): TeamInput {
  const given = ACCESS_FLAGS.filter((name) => access[name] !== undefined);
  return {
    ...(visibility === undefined ? {} : { visibility: visibility ?? 'secret' }),
    access: Object.fromEntries(given.map((name) => [name, access[name] ?? false])),
  };
}

/** The teams of an organization. */
export function teamRoutes(api: Api, teams: Teams): void {
  const one = { schema: { params: One } };

  api.post(
    '/organizations/:organization_name/teams',
    { schema: { params: OfOrganization, body: Create } },
    async (request, reply) => {
      const { name, ...attributes } = request.body.data.attributes;
      const { organization_name: organization } = request.params;
      const team = await teams.create(actorOf(request), organization, { name, ...settingsOf(attributes) });
      reply.code(201);
      return { data: teamResource(team) };
    },
  );

  api.get(
    '/organizations/:organization_name/teams',
    { schema: { params: OfOrganization, querystring: List } },
    async (request) => {
      const page = pageOf(request.query);
      const names = commaList(request.query['filter[names]']);
      const { items, total } = await teams.list(actorOf(request), request.params.organization_name, names, page);
      return pageDocument(urlOf(request), page, total, items.map(teamResource));
    },
  );

  api.get('/teams/:team_id', one, async (request) => {
    return { data: teamResource(await teams.find(actorOf(request), request.params.team_id, 'can-read')) };
  });

  api.patch('/teams/:team_id', { schema: { params: One, body: Update } }, async (request) => {
    const { name, ...attributes } = request.body.data.attributes;
    const input = { ...(name === undefined ? {} : { name }), ...settingsOf(attributes) };
    return { data: teamResource(await teams.update(actorOf(request), request.params.team_id, input)) };
  });

  api.delete('/teams/:team_id', one, async (request, reply) => {
    await teams.delete(actorOf(request), request.params.team_id);
    reply.code(204);
  });
}
