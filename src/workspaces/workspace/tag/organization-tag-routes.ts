import { type Static, Type } from 'typebox';
import { type Api, urlOf } from '../../http/api.ts';
import { pageDocument, pageOf, pageQuery } from '../../jsonapi/pagination.ts';
import { Id, identifiers, resourceBody, text } from '../../jsonapi/schema.ts';
import { done, made, pageAnswer, resourceAnswer } from '../../openapi/answer.ts';
import { actorOf } from '../../tenancy/index.ts';
import type { OrganizationTags } from './organization-tags.ts';
import type { ReservedKeyInput, ReservedTagKeys } from './reserved-keys.ts';
import { ReservedKeyResource, TagResource } from './resource.ts';
import type { WorkspaceTags } from './tags.ts';

const OfOrganization = Type.Object({ organization_name: Id });
const One = Type.Object({ id: Id });

const ListTags = Type.Object({
  ...pageQuery,
  q: Type.Optional(text(255)),
  'filter[exclude][taggable][id]': Type.Optional(text(100)),
});
const SOME = { minItems: 1, maxItems: 100 };
const TheseTags = Type.Object({ data: identifiers('tags', SOME) });
const TheseWorkspaces = Type.Object({ data: identifiers('workspaces', SOME) });

/** Routes of the flat tags of organizations. */
export function organizationTagRoutes(api: Api, tags: OrganizationTags, workspaceTags: WorkspaceTags): void {
  const path = '/organizations/:organization_name/tags';

  const list = { answer: pageAnswer(TagResource), schema: { params: OfOrganization, querystring: ListTags } };
  api.get(path, list, async (request) => {
    const { params, query } = request;
    const page = pageOf(query);
    const filter = { query: query.q ?? '', excluded: query['filter[exclude][taggable][id]'] ?? '' };
    const { items, total } = await tags.list(actorOf(request), params.organization_name, filter, page);
    return pageDocument(urlOf(request), page, total, items.map(TagResource.document));
  });

  api.delete(path, { schema: { params: OfOrganization, body: TheseTags } }, async (request, reply) => {
    const ids = request.body.data.map(({ id }) => id);
    await tags.remove(actorOf(request), request.params.organization_name, ids);
    reply.code(204);
  });

  api.post(
    '/tags/:id/relationships/workspaces',
    { answer: done, schema: { params: One, body: TheseWorkspaces } },
    async (request, reply) => {
      const ids = request.body.data.map(({ id }) => id);
      await workspaceTags.addToEach(actorOf(request), request.params.id, ids);
      reply.code(204);
    },
  );
}

const CreateKey = resourceBody('reserved-tag-keys', ReservedKeyResource.create, {});
const UpdateKey = resourceBody('reserved-tag-keys', Type.Optional(ReservedKeyResource.update), {});

function inputOf(attributes: Static<typeof ReservedKeyResource.update> = {}): ReservedKeyInput {
  const { key: named, 'disable-overrides': disabled } = attributes;
  return { key: named, disableOverrides: disabled === undefined ? undefined : (disabled ?? false) };
}

/**
 * Routes of reserved tag keys. Official clients and the documentation of HCP Terraform use different paths for a
 * single key.
 */
export function reservedKeyRoutes(api: Api, keys: ReservedTagKeys): void {
  const path = '/organizations/:organization_name/reserved-tag-keys';

  const list = {
    answer: pageAnswer(ReservedKeyResource),
    schema: { params: OfOrganization, querystring: Type.Object(pageQuery) },
  };
  api.get(path, list, async (request) => {
    const page = pageOf(request.query);
    const { items, total } = await keys.list(actorOf(request), request.params.organization_name, page);
    return pageDocument(urlOf(request), page, total, items.map(ReservedKeyResource.document));
  });

  const creation = { answer: made(ReservedKeyResource), schema: { params: OfOrganization, body: CreateKey } };
  api.post(path, creation, async (request, reply) => {
    const { params, body } = request;
    const reserved = await keys.create(actorOf(request), params.organization_name, inputOf(body.data.attributes));
    reply.code(201);
    return { data: ReservedKeyResource.document(reserved) };
  });

  for (const one of ['/reserved-tag-keys/:id', '/reserved-tags/:id']) {
    const change = { answer: resourceAnswer(ReservedKeyResource), schema: { params: One, body: UpdateKey } };
    api.patch(one, change, async (request) => {
      const reserved = await keys.update(actorOf(request), request.params.id, inputOf(request.body.data.attributes));
      return { data: ReservedKeyResource.document(reserved) };
    });

    api.delete(one, { schema: { params: One } }, async (request, reply) => {
      await keys.remove(actorOf(request), request.params.id);
      reply.code(204);
    });
  }
}
