import { Type } from 'typebox';
import { type Api, urlOf } from '../../http/api.ts';
import { withoutId } from '../../jsonapi/document.ts';
import { pageDocument, pageOf, pageQuery, WholeListQuery, wholeList } from '../../jsonapi/pagination.ts';
import { Id, text } from '../../jsonapi/schema.ts';
import { done, listAnswer, pageAnswer } from '../../openapi/answer.ts';
import { actorOf, BindingEntry, EffectiveTagBindingResource, TagBindingResource } from '../../tenancy/index.ts';
import { TagEntry } from '../settings/schema.ts';
import { effectiveBindingDocument, TagResource } from './resource.ts';
import type { WorkspaceTags } from './tags.ts';

const ById = Type.Object({ workspace_id: Id });
const ListQuery = Type.Object({ ...pageQuery, name: Type.Optional(text(255)) });
const Tags = Type.Object({ data: Type.Array(TagEntry, { maxItems: 100 }) });
const Bindings = Type.Object({ data: Type.Array(BindingEntry, { maxItems: 100 }) });

/** Routes of tags (spec §4.10, and additions of official clients). */
export function tagRoutes(api: Api, tags: WorkspaceTags): void {
  const flat = '/workspaces/:workspace_id/relationships/tags';

  const list = { answer: pageAnswer(TagResource), schema: { params: ById, querystring: ListQuery } };
  api.get(flat, list, async (request) => {
    const { query, params } = request;
    const page = pageOf(query);
    const { items, total } = await tags.list(actorOf(request), params.workspace_id, query.name ?? '', page);
    return pageDocument(urlOf(request), page, total, items.map(TagResource.document));
  });

  api.post(flat, { answer: done, schema: { params: ById, body: Tags } }, async (request, reply) => {
    await tags.add(actorOf(request), request.params.workspace_id, request.body.data);
    reply.code(204);
  });

  api.delete(flat, { schema: { params: ById, body: Tags } }, async (request, reply) => {
    await tags.remove(actorOf(request), request.params.workspace_id, request.body.data);
    reply.code(204);
  });

  bindingRoutes(api, tags);
}

/** Routes of key-value tags. One path changes single tags, the other one adds to the list or replaces it. */
function bindingRoutes(api: Api, tags: WorkspaceTags): void {
  const one = { schema: { params: ById, querystring: WholeListQuery } };
  const body = { schema: { params: ById, body: Bindings } };
  const own = listAnswer(TagBindingResource);
  const bound = '/workspaces/:workspace_id/tag-bindings';
  const relationship = '/workspaces/:workspace_id/relationships/tag-bindings';

  for (const path of [bound, relationship]) {
    api.get(path, { answer: own, ...one }, async (request) => {
      const bindings = await tags.bindings(actorOf(request), request.params.workspace_id);
      return { data: wholeList(request.query, bindings).map(TagBindingResource.document) };
    });
  }

  api.patch(bound, { answer: own, ...body }, async (request) => {
    const bindings = await tags.bind(actorOf(request), request.params.workspace_id, request.body.data);
    return { data: bindings.map(TagBindingResource.document) };
  });

  api.post(relationship, { answer: done, ...body }, async (request, reply) => {
    await tags.bind(actorOf(request), request.params.workspace_id, request.body.data);
    reply.code(204);
  });

  api.patch(relationship, { answer: done, ...body }, async (request, reply) => {
    await tags.replaceBindings(actorOf(request), request.params.workspace_id, request.body.data);
    reply.code(204);
  });

  const effective = { answer: listAnswer(EffectiveTagBindingResource), ...one };
  api.get('/workspaces/:workspace_id/effective-tag-bindings', effective, async (request) => {
    const bindings = await tags.effectiveBindings(actorOf(request), request.params.workspace_id);
    // These resources have no id (spec §2.5), but included resources need one.
    return { data: wholeList(request.query, bindings).map(effectiveBindingDocument).map(withoutId) };
  });
}
