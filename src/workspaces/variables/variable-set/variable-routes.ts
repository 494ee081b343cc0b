import { Type } from 'typebox';
import { type Api, urlOf } from '../../http/api.ts';
import { pageDocument, pageOf, pageQuery, WholeListQuery, wholeList } from '../../jsonapi/pagination.ts';
import { Id } from '../../jsonapi/schema.ts';
import { listAnswer, made, pageAnswer, resourceAnswer } from '../../openapi/answer.ts';
import { actorOf } from '../../tenancy/index.ts';
import { VariableResource } from '../variable/resource.ts';
import { CreateVariable, UpdateVariable } from '../variable/schema.ts';
import type { AppliedVariables } from './applied-variables.ts';
import { includedWith, type SetIncludeSources, setIncludes } from './include.ts';
import { VariableSetResource } from './resource.ts';
import { ListSets } from './schema.ts';
import type { SetVariables } from './set-variables.ts';

const One = Type.Object({ varset_id: Id });
const OneVariable = Type.Object({ varset_id: Id, variable_id: Id });
const OfWorkspace = Type.Object({ workspace_id: Id });

/** Routes of the variables of sets. */
export function setVariableRoutes(api: Api, variables: SetVariables): void {
  const path = '/varsets/:varset_id/relationships/vars';

  api.get(
    path,
    { answer: pageAnswer(VariableResource), schema: { params: One, querystring: Type.Object(pageQuery) } },
    async (request) => {
      const page = pageOf(request.query);
      const { items, total } = await variables.list(actorOf(request), request.params.varset_id, page);
      const data = items.map((variable) => VariableResource.document(variable));
      return pageDocument(urlOf(request), page, total, data);
    },
  );

  api.post(
    path,
    { answer: made(VariableResource), schema: { params: One, body: CreateVariable } },
    async (request, reply) => {
      const { params, body } = request;
      const created = await variables.create(actorOf(request), params.varset_id, body.data.attributes);
      reply.code(201);
      return { data: VariableResource.document(created) };
    },
  );

  api.get(
    `${path}/:variable_id`,
    { answer: resourceAnswer(VariableResource), schema: { params: OneVariable } },
    async (request) => {
      const { varset_id: setId, variable_id: id } = request.params;
      return { data: VariableResource.document(await variables.show(actorOf(request), setId, id)) };
    },
  );

  api.patch(
    `${path}/:variable_id`,
    { answer: resourceAnswer(VariableResource), schema: { params: OneVariable, body: UpdateVariable } },
    async (request) => {
      const { varset_id: setId, variable_id: id } = request.params;
      const changed = await variables.update(actorOf(request), setId, id, request.body.data.attributes ?? {});
      return { data: VariableResource.document(changed) };
    },
  );

  api.delete(`${path}/:variable_id`, { schema: { params: OneVariable } }, async (request, reply) => {
    const { varset_id: setId, variable_id: id } = request.params;
    await variables.remove(actorOf(request), setId, id);
    reply.code(204);
  });
}

/** Routes of the sets and their variables that apply to a workspace. */
export function appliedVariableRoutes(api: Api, applied: AppliedVariables, sources: SetIncludeSources): void {
  const ofAll = { answer: listAnswer(VariableResource), schema: { params: OfWorkspace, querystring: WholeListQuery } };
  api.get('/workspaces/:workspace_id/all-vars', ofAll, async (request) => {
    const { workspace, variables } = await applied.effective(actorOf(request), request.params.workspace_id);
    const own = (id: string) => (id === workspace.id ? workspace : undefined);
    return {
      data: wholeList(request.query, variables).map((variable) =>
        VariableResource.document(variable, own(variable.owner.id)),
      ),
    };
  });

  for (const path of ['/workspaces/:workspace_id/varsets', '/workspaces/:workspace_id/applicable-varsets']) {
    api.get(
      path,
      { answer: pageAnswer(VariableSetResource), schema: { params: OfWorkspace, querystring: ListSets } },
      async (request) => {
        const { params, query } = request;
        const actor = actorOf(request);
        const asked = setIncludes(query.include);
        const page = pageOf(query);
        const { items, total } = await applied.sets(actor, params.workspace_id, query.q ?? '', page);
        const included = await includedWith(sources, actor, items, asked);
        return pageDocument(urlOf(request), page, total, items.map(VariableSetResource.document), included);
      },
    );
  }
}
