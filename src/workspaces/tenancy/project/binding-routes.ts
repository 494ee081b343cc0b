import { Type } from 'typebox';
import type { Api } from '../../http/api.ts';
import { withoutId } from '../../jsonapi/document.ts';
import { WholeListQuery, wholeList } from '../../jsonapi/pagination.ts';
import { Id } from '../../jsonapi/schema.ts';
import { done, listAnswer } from '../../openapi/answer.ts';
import { actorOf } from '../permissions/request-actor.ts';
import { BindingEntry } from '../tag-binding/key-value.ts';
import { EffectiveTagBindingResource, TagBindingResource } from '../tag-binding/resource.ts';
import type { ProjectBindings } from './bindings.ts';

const One = Type.Object({ project_id: Id });
const Bindings = Type.Object({ data: Type.Array(BindingEntry, { maxItems: 100 }) });

/** Routes for the key-value tags of projects. One path changes single tags; the other adds and replaces them. */
export function projectBindingRoutes(api: Api, bindings: ProjectBindings): void {
  const one = { schema: { params: One, querystring: WholeListQuery } };
  const body = { schema: { params: One, body: Bindings } };
  const path = '/projects/:project_id/tag-bindings';
  const relationship = '/projects/:project_id/relationships/tag-bindings';

  for (const address of [path, relationship]) {
    api.get(address, { answer: listAnswer(TagBindingResource), ...one }, async (request) => {
      const all = await bindings.list(actorOf(request), request.params.project_id);
      return { data: wholeList(request.query, all).map(TagBindingResource.document) };
    });
  }

  api.get(
    '/projects/:project_id/effective-tag-bindings',
    { answer: listAnswer(EffectiveTagBindingResource), ...one },
    async (request) => {
      const all = await bindings.list(actorOf(request), request.params.project_id);
      return { data: wholeList(request.query, all).map(EffectiveTagBindingResource.document).map(withoutId) };
    },
  );

  api.patch(path, { answer: listAnswer(TagBindingResource), ...body }, async (request) => {
    const all = await bindings.bind(actorOf(request), request.params.project_id, request.body.data);
    return { data: all.map(TagBindingResource.document) };
  });

  api.post(relationship, { answer: done, ...body }, async (request, reply) => {
    await bindings.bind(actorOf(request), request.params.project_id, request.body.data);
    reply.code(204);
  });

  api.patch(relationship, { answer: done, ...body }, async (request, reply) => {
    await bindings.replace(actorOf(request), request.params.project_id, request.body.data);
    reply.code(204);
  });
}
