import { Type } from 'typebox';
import { type Api, urlOf } from '../../http/api.ts';
import { type Resource, withIncluded } from '../../jsonapi/document.ts';
import { parseInclude } from '../../jsonapi/include.ts';
import { pageDocument, pageOf, pageQuery } from '../../jsonapi/pagination.ts';
import { commaList, Id, identifiers, text } from '../../jsonapi/schema.ts';
import { done, made, pageAnswer, resourceAnswer } from '../../openapi/answer.ts';
import { createBody } from '../../resource/index.ts';
import type { Actor } from '../permissions/actor.ts';
import { actorOf } from '../permissions/request-actor.ts';
import { TeamResource } from '../team/resource.ts';
import { userResource } from '../user/resource.ts';
import type { Users } from '../user/users.ts';
import type { Memberships, MembershipView } from './memberships.ts';
import { MembershipResource } from './resource.ts';
import { STATUSES } from './store.ts';

const OfOrganization = Type.Object({ organization_name: Id });
const OfTeam = Type.Object({ team_id: Id });
const One = Type.Object({ membership_id: Id });
const include = Type.Optional(text(200));
const Show = Type.Object({ include });
const Own = Type.Object({ ...pageQuery, include, 'filter[status]': Type.Optional(Type.Enum([...STATUSES])) });
const List = Type.Object({
  ...Own.properties,
  q: Type.Optional(text(254)),
  'filter[email]': Type.Optional(text(8000)),
});
const teams = Type.Optional(Type.Object({ data: Type.Array(Type.Object({ id: text(100) }), { maxItems: 100 }) }));
const Create = createBody(MembershipResource, { teams });
const Members = Type.Object({ data: identifiers('organization-memberships', { maxItems: 500 }) });

const INCLUDES = ['user', 'teams'] as const;
type Include = (typeof INCLUDES)[number];
const USER: ReadonlySet<Include> = new Set(['user']);

/** Routes for the members of an organization and of its teams. */
export function membershipRoutes(api: Api, memberships: Memberships, users: Users): void {
  const ofOrganization = '/organizations/:organization_name/organization-memberships';
  const one = '/organization-memberships/:membership_id';
  const ofTeam = '/teams/:team_id/relationships/organization-memberships';

  /** An actor that may see a membership knows its email address, so the user resource includes the address, too. */
  async function included(actor: Actor, views: readonly MembershipView[], asked: ReadonlySet<Include>) {
    const emails = new Map(asked.has('user') ? views.map(({ accountId, email }) => [accountId, email]) : []);
    const accounts = await users.named([...emails.keys()]);
    const shown = asked.has('teams') ? new Map(views.flatMap((view) => view.teams).map((team) => [team.id, team])) : [];
    const resources: Resource[] = [
      ...accounts.map((user) => userResource(user, actor, emails.get(user.id))),
      ...[...shown.values()].map((team) => TeamResource.document(team)),
    ];
    return resources;
  }

  api.post(
    ofOrganization,
    { answer: made(MembershipResource), schema: { params: OfOrganization, body: Create } },
    async (request, reply) => {
      const { attributes, relationships } = request.body.data;
      const teamIds = [...new Set(relationships?.teams?.data.map(({ id }) => id) ?? [])];
      const actor = actorOf(request);
      const { organization_name: name } = request.params;
      const view = await memberships.invite(actor, name, attributes.email, teamIds);
      reply.code(201);
      // Official clients expect the user of a new membership without `include`.
      return withIncluded(MembershipResource.document(view), await included(actor, [view], USER));
    },
  );

  api.get(
    ofOrganization,
    { answer: pageAnswer(MembershipResource), schema: { params: OfOrganization, querystring: List } },
    async (request) => {
      const { query, params } = request;
      const asked = parseInclude(query.include, INCLUDES);
      const filter = {
        query: query.q ?? '',
        emails: commaList(query['filter[email]']),
        status: query['filter[status]'],
      };
      const page = pageOf(query);
      const actor = actorOf(request);
      const { items, total } = await memberships.list(actor, params.organization_name, filter, page);
      const data = items.map(MembershipResource.document);
      return pageDocument(urlOf(request), page, total, data, await included(actor, items, asked));
    },
  );

  api.get(
    '/organization-memberships',
    { answer: pageAnswer(MembershipResource), schema: { querystring: Own } },
    async (request) => {
      const asked = parseInclude(request.query.include, INCLUDES);
      const page = pageOf(request.query);
      const actor = actorOf(request);
      const { items, total } = await memberships.own(actor, request.query['filter[status]'], page);
      const data = items.map(MembershipResource.document);
      return pageDocument(urlOf(request), page, total, data, await included(actor, items, asked));
    },
  );

  api.get(
    one,
    { answer: resourceAnswer(MembershipResource), schema: { params: One, querystring: Show } },
    async (request) => {
      const asked = parseInclude(request.query.include, INCLUDES);
      const actor = actorOf(request);
      const view = await memberships.find(actor, request.params.membership_id);
      return withIncluded(MembershipResource.document(view), await included(actor, [view], asked));
    },
  );

  api.delete(one, { schema: { params: One } }, async (request, reply) => {
    await memberships.delete(actorOf(request), request.params.membership_id);
    reply.code(204);
  });

  for (const answer of ['accept', 'decline'] as const) {
    api.post(`${one}/actions/${answer}`, { answer: done, schema: { params: One } }, async (request, reply) => {
      await memberships.answer(actorOf(request), request.params.membership_id, answer === 'accept');
      reply.code(204);
    });
  }

  const ofMembers = { schema: { params: OfTeam, body: Members } };
  const idsOf = (body: { readonly data: readonly { readonly id: string }[] }) => body.data.map(({ id }) => id);

  api.get(
    ofTeam,
    { answer: pageAnswer(MembershipResource), schema: { params: OfTeam, querystring: Own } },
    async (request) => {
      const { params, query } = request;
      const asked = parseInclude(query.include, INCLUDES);
      const page = pageOf(query);
      const actor = actorOf(request);
      const { items, total } = await memberships.ofTeam(actor, params.team_id, query['filter[status]'], page);
      const data = items.map(MembershipResource.document);
      return pageDocument(urlOf(request), page, total, data, await included(actor, items, asked));
    },
  );

  api.post(ofTeam, { answer: done, ...ofMembers }, async (request, reply) => {
    await memberships.addToTeam(actorOf(request), request.params.team_id, idsOf(request.body));
    reply.code(204);
  });

  api.delete(ofTeam, ofMembers, async (request, reply) => {
    await memberships.removeFromTeam(actorOf(request), request.params.team_id, idsOf(request.body));
    reply.code(204);
  });
}
