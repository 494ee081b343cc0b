import { Type } from 'typebox';
import type { Api } from '../../http/api.ts';
import { withoutId } from '../../jsonapi/document.ts';
import { WholeListQuery, wholeList } from '../../jsonapi/pagination.ts';
import { Id } from '../../jsonapi/schema.ts';
import { actorOf } from '../permissions/request-actor.ts';
import { BindingEntry } from '../tag-binding/key-value.ts';
import type { ProjectBindings } from './bindings.ts';
import { effectiveProjectBindingResource, projectBindingResource } from './document.ts';

const One = Type.Object({ project_id: Id });
const Bindings = Type.Object({ data: Type.Array(BindingEntry, { maxItems: 100 }) });

/** Routes for the key-value tags of projects. One path changes single tags; the other adds and replaces them. */
export function projectBindingRoutes(api: Api, bindings: ProjectBindings): void {
  const one = { schema: { params: One, querystring: WholeListQuery } };
  const body = { schema: { params: One, body: Bindings } };
  const path = '/projects/:project_id/tag-bindings';
  const relationship = '/projects/:project_id/relationships/tag-bindings';

  for (const address of [path, relationship]) {
    api.get(address, one, async (request) => {
      const all = await bindings.list(actorOf(request), request.params.project_id);
      return { data: wholeList(request.query, all).map(projectBindingResource) };
    });
  }

  api.get('/projects/:project_id/effective-tag-bindings', one, async (request) => {
    const all = await bindings.list(actorOf(request), request.params.project_id);
    return { data: wholeList(request.query, all).map(effectiveProjectBindingResource).map(withoutId) };
  });

  api.patch(path, body, async (request) => {
    const all = await bindings.bind(actorOf(request), request.params.project_id, request.body.data);
    return { data: all.map(projectBindingResource) };
  });

  api.post(relationship, body, async (request, reply) => {
    await bindings.bind(actorOf(request), request.params.project_id, request.body.data);
    reply.code(204);
  });

  api.patch(relationship, body, async (request, reply) => {
    await bindings.replace(actorOf(request), request.params.project_id, request.body.data);
    reply.code(204);
  });
}
