import { type Static, Type } from 'typebox';
import { type Api, urlOf } from '../../http/api.ts';
import { withIncluded } from '../../jsonapi/document.ts';
import { pageDocument, pageOf, pageQuery } from '../../jsonapi/pagination.ts';
import { ANY_TYPE, commaList, Id, resourceBody, text, typed } from '../../jsonapi/schema.ts';
import { done, made, pageAnswer, resourceAnswer } from '../../openapi/answer.ts';
import type { Actor } from '../permissions/actor.ts';
import { ACCESS_FLAGS } from '../permissions/grants.ts';
import { actorOf } from '../permissions/request-actor.ts';
import { type TeamIncludeSources, teamsWithIncludes } from './include.ts';
import { TeamResource } from './resource.ts';
import type { TeamInput } from './store.ts';
import type { Teams, TeamView } from './teams.ts';

const OfOrganization = Type.Object({ organization_name: Id });
const One = Type.Object({ team_id: Id });
const Show = Type.Object({ include: Type.Optional(text(1000)) });
const List = Type.Object({
  ...pageQuery,
  ...Show.properties,
  'filter[names]': Type.Optional(text(1000)),
  q: Type.Optional(text(90)),
});

const Create = resourceBody(ANY_TYPE, TeamResource.create, {});
const Update = resourceBody(ANY_TYPE, TeamResource.update, {});

/** Only these routes identify users by username. */
const Usernames = Type.Object({
  data: Type.Array(Type.Object({ type: typed('users'), id: text(60) }), { maxItems: 500 }),
});

/** Converts the attributes of a request. Null sets the default; missing fields stay unset. */
function settingsOf(attributes: Omit<Static<typeof TeamResource.update>, 'name'>): TeamInput {
  const { visibility, 'sso-team-id': sso, 'allow-member-token-management': tokens } = attributes;
  const access = attributes['organization-access'] ?? {};
  const given = ACCESS_FLAGS.filter((name) => access[name] !== undefined);
  return {
    ...(visibility === undefined ? {} : { visibility: visibility ?? 'secret' }),
    ...(sso === undefined ? {} : { ssoTeamId: sso || null }),
    ...(tokens === undefined ? {} : { allowsMemberTokens: tokens ?? true }),
    access: Object.fromEntries(given.map((name) => [name, access[name] ?? false])),
  };
}

export interface TeamRoutesOptions extends TeamIncludeSources {
  readonly teams: Teams;
}

/** Routes for teams of an organization and their members. */
export function teamRoutes(api: Api, { teams, ...sources }: TeamRoutesOptions): void {
  const { members } = sources;
  const withIncludes = (actor: Actor, views: readonly TeamView[], include: string | undefined) =>
    teamsWithIncludes(sources, actor, views, include);

  api.post(
    '/organizations/:organization_name/teams',
    { answer: made(TeamResource), schema: { params: OfOrganization, body: Create } },
    async (request, reply) => {
      const { name, ...attributes } = request.body.data.attributes;
      const { organization_name: organization } = request.params;
      const team = await teams.create(actorOf(request), organization, { name, ...settingsOf(attributes) });
      reply.code(201);
      return { data: TeamResource.document(team) };
    },
  );

  api.get(
    '/organizations/:organization_name/teams',
    { answer: pageAnswer(TeamResource), schema: { params: OfOrganization, querystring: List } },
    async (request) => {
      const page = pageOf(request.query);
      const filter = { names: commaList(request.query['filter[names]']), query: request.query.q ?? '' };
      const actor = actorOf(request);
      const { items, total } = await teams.list(actor, request.params.organization_name, filter, page);
      const { data, included } = await withIncludes(actor, items, request.query.include);
      return pageDocument(urlOf(request), page, total, data, included);
    },
  );

  api.get(
    '/teams/:team_id',
    { answer: resourceAnswer(TeamResource), schema: { params: One, querystring: Show } },
    async (request) => {
      const actor = actorOf(request);
      const team = await teams.find(actor, request.params.team_id, 'can-read');
      const { data, included } = await withIncludes(actor, [team], request.query.include);
      return withIncluded(data[0] ?? TeamResource.document(team), included);
    },
  );

  api.patch(
    '/teams/:team_id',
    { answer: resourceAnswer(TeamResource), schema: { params: One, body: Update } },
    async (request) => {
      const { name, ...attributes } = request.body.data.attributes;
      const input = { ...(name === undefined ? {} : { name }), ...settingsOf(attributes) };
      return { data: TeamResource.document(await teams.update(actorOf(request), request.params.team_id, input)) };
    },
  );

  api.delete('/teams/:team_id', { schema: { params: One } }, async (request, reply) => {
    await teams.delete(actorOf(request), request.params.team_id);
    reply.code(204);
  });

  const ofUsers = { schema: { params: One, body: Usernames } };
  const named = (body: { readonly data: readonly { readonly id: string }[] }) => body.data.map(({ id }) => id);

  api.post('/teams/:team_id/relationships/users', { answer: done, ...ofUsers }, async (request, reply) => {
    await members.add(actorOf(request), request.params.team_id, named(request.body));
    reply.code(204);
  });

  api.delete('/teams/:team_id/relationships/users', ofUsers, async (request, reply) => {
    await members.remove(actorOf(request), request.params.team_id, named(request.body));
    reply.code(204);
  });
}
