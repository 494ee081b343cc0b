import { Type } from 'typebox';
import type { Api } from '../../../http/api.ts';
import { withIncluded } from '../../../jsonapi/document.ts';
import { parseInclude } from '../../../jsonapi/include.ts';
import { WholeListQuery, wholeList } from '../../../jsonapi/pagination.ts';
import { Id, text } from '../../../jsonapi/schema.ts';
import { type Actor, actorOf, type Users, userResource } from '../../../tenancy/index.ts';
import { commentResource, eventResource } from '../document.ts';
import { CreateComment } from '../schema.ts';
import type { RunComments, RunEvent } from './comments.ts';

const INCLUDES = ['actor', 'comment'] as const;
type Asked = ReadonlySet<(typeof INCLUDES)[number]>;

const ById = Type.Object({ id: Id });
const OfRun = Type.Object({ run_id: Id });
const ListQuery = Type.Object({ ...WholeListQuery.properties, include: Type.Optional(text(1000)) });
const ShowQuery = Type.Object({ include: Type.Optional(text(1000)) });

export interface EventRoutesOptions {
  readonly runComments: RunComments;
  readonly users: Users;
}

/** Routes of run events and comments. Their lists are not paged. */
export function eventRoutes(api: Api, { runComments, users }: EventRoutesOptions): void {
  async function included(actor: Actor, events: readonly RunEvent[], asked: Asked) {
    const ids = new Set(events.flatMap((event) => (event.actor?.type === 'users' ? [event.actor.id] : [])));
    const people = asked.has('actor') && ids.size > 0 ? await users.named([...ids]) : [];
    const said = asked.has('comment') ? await runComments.ofEvents(events) : [];
    return [...people.map((user) => userResource(user, actor)), ...said.map(commentResource)];
  }

  api.get('/runs/:run_id/run-events', { schema: { params: OfRun, querystring: ListQuery } }, async (request) => {
    const asked = parseInclude(request.query.include, INCLUDES);
    const all = await runComments.events(actorOf(request), request.params.run_id);
    const events = wholeList(request.query, all);
    const names = await runComments.names(events.map(({ actor }) => actor));
    const resources = events.map((event) => eventResource(event, names));
    return withIncluded(resources, await included(actorOf(request), events, asked));
  });

  api.get('/run-events/:id', { schema: { params: ById, querystring: ShowQuery } }, async (request) => {
    const asked = parseInclude(request.query.include, INCLUDES);
    const event = await runComments.event(actorOf(request), request.params.id);
    const resource = eventResource(event, await runComments.names([event.actor]));
    return withIncluded(resource, await included(actorOf(request), [event], asked));
  });

  const ofComments = { schema: { params: OfRun, querystring: WholeListQuery } };
  api.get('/runs/:run_id/comments', ofComments, async (request) => {
    const comments = await runComments.list(actorOf(request), request.params.run_id);
    return { data: wholeList(request.query, comments).map(commentResource) };
  });

  api.post('/runs/:run_id/comments', { schema: { params: OfRun, body: CreateComment } }, async (request, reply) => {
    const { body } = request.body.data.attributes;
    const comment = await runComments.create(actorOf(request), request.params.run_id, body);
    reply.code(201);
    return { data: commentResource(comment) };
  });

  api.get('/comments/:id', { schema: { params: ById } }, async (request) => {
    return { data: commentResource(await runComments.find(actorOf(request), request.params.id)) };
  });
}
