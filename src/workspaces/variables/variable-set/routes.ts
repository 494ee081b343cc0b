import { Type } from 'typebox';
import { type Api, urlOf } from '../../http/api.ts';
import { withIncluded } from '../../jsonapi/document.ts';
import { pageDocument, pageOf } from '../../jsonapi/pagination.ts';
import { Id } from '../../jsonapi/schema.ts';
import { done, made, pageAnswer, resourceAnswer } from '../../openapi/answer.ts';
import { actorOf } from '../../tenancy/index.ts';
import { includedWith, type SetIncludeSources, setIncludes } from './include.ts';
import { VariableSetResource } from './resource.ts';
import { CreateSet, ListSets, ProjectLinks, ShowSet, UpdateSet, WorkspaceLinks } from './schema.ts';
import type { VariableSets } from './variable-sets.ts';

const OfOrganization = Type.Object({ organization_name: Id });
const OfProject = Type.Object({ project_id: Id });
const One = Type.Object({ varset_id: Id });

/** Routes of variable sets and of their workspaces and projects. */
export function variableSetRoutes(api: Api, sets: VariableSets, sources: SetIncludeSources): void {
  const ofOrganization = '/organizations/:organization_name/varsets';
  const one = '/varsets/:varset_id';

  api.post(
    ofOrganization,
    { answer: made(VariableSetResource), schema: { params: OfOrganization, body: CreateSet } },
    async (request, reply) => {
      const created = await sets.create(actorOf(request), request.params.organization_name, request.body.data);
      reply.code(201);
      return { data: VariableSetResource.document(created) };
    },
  );

  api.get(
    ofOrganization,
    { answer: pageAnswer(VariableSetResource), schema: { params: OfOrganization, querystring: ListSets } },
    async (request) => {
      const { params, query } = request;
      const actor = actorOf(request);
      const asked = setIncludes(query.include);
      const page = pageOf(query);
      const { items, total } = await sets.list(actor, params.organization_name, query.q ?? '', page);
      const included = await includedWith(sources, actor, items, asked);
      return pageDocument(urlOf(request), page, total, items.map(VariableSetResource.document), included);
    },
  );

  api.get(
    '/projects/:project_id/varsets',
    { answer: pageAnswer(VariableSetResource), schema: { params: OfProject, querystring: ListSets } },
    async (request) => {
      const { params, query } = request;
      const actor = actorOf(request);
      const asked = setIncludes(query.include);
      const page = pageOf(query);
      const { items, total } = await sets.ofProject(actor, params.project_id, query.q ?? '', page);
      const included = await includedWith(sources, actor, items, asked);
      return pageDocument(urlOf(request), page, total, items.map(VariableSetResource.document), included);
    },
  );

  api.get(
    one,
    { answer: resourceAnswer(VariableSetResource), schema: { params: One, querystring: ShowSet } },
    async (request) => {
      const actor = actorOf(request);
      const asked = setIncludes(request.query.include);
      const set = await sets.show(actor, request.params.varset_id);
      return withIncluded(VariableSetResource.document(set), await includedWith(sources, actor, [set], asked));
    },
  );

  for (const method of ['PATCH', 'PUT'] as const) {
    api.route({
      method,
      url: one,
      answer: resourceAnswer(VariableSetResource),
      schema: { params: One, querystring: ShowSet, body: UpdateSet },
      handler: async (request) => {
        const actor = actorOf(request);
        const asked = setIncludes(request.query.include);
        const set = await sets.update(actor, request.params.varset_id, request.body.data);
        return withIncluded(VariableSetResource.document(set), await includedWith(sources, actor, [set], asked));
      },
    });
  }

  api.delete(one, { schema: { params: One } }, async (request, reply) => {
    await sets.remove(actorOf(request), request.params.varset_id);
    reply.code(204);
  });

  targetRoutes(api, sets);
}

function targetRoutes(api: Api, sets: VariableSets): void {
  for (const [target, body] of [['workspaces', WorkspaceLinks] as const, ['projects', ProjectLinks] as const]) {
    const path = `/varsets/:varset_id/relationships/${target}`;

    api.post(path, { answer: done, schema: { params: One, body } }, async (request, reply) => {
      const ids = request.body.data.map(({ id }) => id);
      await sets.apply(actorOf(request), request.params.varset_id, target, ids);
      reply.code(204);
    });

    api.delete(path, { schema: { params: One, body } }, async (request, reply) => {
      const ids = request.body.data.map(({ id }) => id);
      await sets.withdraw(actorOf(request), request.params.varset_id, target, ids);
      reply.code(204);
    });
  }
}
