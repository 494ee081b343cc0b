import { Type } from 'typebox';
import type { Api } from '../../../http/api.ts';
import { withIncluded } from '../../../jsonapi/document.ts';
import { parseInclude } from '../../../jsonapi/include.ts';
import { WholeListQuery, wholeList } from '../../../jsonapi/pagination.ts';
import { Id, text, typed } from '../../../jsonapi/schema.ts';
import { listAnswer, made, resourceAnswer } from '../../../openapi/answer.ts';
import { type Actor, actorOf, type Users, userResource } from '../../../tenancy/index.ts';
import { CommentResource, RunEventResource } from '../resource.ts';
import type { RunComments, RunEvent } from './comments.ts';

const INCLUDES = ['actor', 'comment'] as const;
type Asked = ReadonlySet<(typeof INCLUDES)[number]>;

/** Body of a comment on a run. */
const CreateComment = Type.Object({
  data: Type.Object({ type: typed('comments'), attributes: CommentResource.create }),
});

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
    return [...people.map((user) => userResource(user, actor)), ...said.map(CommentResource.document)];
  }

  api.get(
    '/runs/:run_id/run-events',
    { answer: listAnswer(RunEventResource), schema: { params: OfRun, querystring: ListQuery } },
    async (request) => {
      const asked = parseInclude(request.query.include, INCLUDES);
      const all = await runComments.events(actorOf(request), request.params.run_id);
      const events = wholeList(request.query, all);
      const names = await runComments.names(events.map(({ actor }) => actor));
      const resources = events.map((event) => RunEventResource.document(event, names));
      return withIncluded(resources, await included(actorOf(request), events, asked));
    },
  );

  api.get(
    '/run-events/:id',
    { answer: resourceAnswer(RunEventResource), schema: { params: ById, querystring: ShowQuery } },
    async (request) => {
      const asked = parseInclude(request.query.include, INCLUDES);
      const event = await runComments.event(actorOf(request), request.params.id);
      const resource = RunEventResource.document(event, await runComments.names([event.actor]));
      return withIncluded(resource, await included(actorOf(request), [event], asked));
    },
  );

  const ofComments = { answer: listAnswer(CommentResource), schema: { params: OfRun, querystring: WholeListQuery } };
  api.get('/runs/:run_id/comments', ofComments, async (request) => {
    const comments = await runComments.list(actorOf(request), request.params.run_id);
    return { data: wholeList(request.query, comments).map(CommentResource.document) };
  });

  api.post(
    '/runs/:run_id/comments',
    { answer: made(CommentResource), schema: { params: OfRun, body: CreateComment } },
    async (request, reply) => {
      const { body } = request.body.data.attributes;
      const comment = await runComments.create(actorOf(request), request.params.run_id, body);
      reply.code(201);
      return { data: CommentResource.document(comment) };
    },
  );

  api.get('/comments/:id', { answer: resourceAnswer(CommentResource), schema: { params: ById } }, async (request) => {
    return { data: CommentResource.document(await runComments.find(actorOf(request), request.params.id)) };
  });
}
