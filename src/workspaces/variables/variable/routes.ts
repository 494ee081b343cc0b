import { Type } from 'typebox';
import type { Api } from '../../http/api.ts';
import type { Document } from '../../jsonapi/document.ts';
import { type PageQuery, WholeListQuery, wholeList } from '../../jsonapi/pagination.ts';
import { Id, text } from '../../jsonapi/schema.ts';
import { done, listAnswer, made, resourceAnswer } from '../../openapi/answer.ts';
import { actorOf } from '../../tenancy/index.ts';
import { VariableResource } from './resource.ts';
import { CreateByRelationship, CreateVariable, ReplaceVariables, UpdateVariable } from './schema.ts';
import type { Variables, WorkspaceVariable, WorkspaceVariables } from './variables.ts';

const OfWorkspace = Type.Object({ workspace_id: Id });
const One = Type.Object({ workspace_id: Id, variable_id: Id });
const Alone = Type.Object({ variable_id: Id });
const Filter = Type.Object({
  ...WholeListQuery.properties,
  'filter[organization][name]': text(100),
  'filter[workspace][name]': text(100),
});

/**
 * Routes of workspace variables: below the workspace, and on the older paths that name the workspace in the query or
 * body.
 */
export function workspaceVariableRoutes(api: Api, variables: Variables): void {
  const ofWorkspace = '/workspaces/:workspace_id/vars';

  api.get(
    ofWorkspace,
    { answer: listAnswer(VariableResource), schema: { params: OfWorkspace, querystring: WholeListQuery } },
    async (request) =>
      listOf(request.query, await variables.list(actorOf(request), { id: request.params.workspace_id })),
  );

  api.post(
    ofWorkspace,
    { answer: made(VariableResource), schema: { params: OfWorkspace, body: CreateVariable } },
    async (request, reply) => {
      const { params, body } = request;
      const created = await variables.create(actorOf(request), params.workspace_id, body.data.attributes);
      reply.code(201);
      return documentOf(created);
    },
  );

  api.get(
    `${ofWorkspace}/:variable_id`,
    { answer: resourceAnswer(VariableResource), schema: { params: One } },
    async (request) => {
      const { workspace_id: workspaceId, variable_id: id } = request.params;
      return documentOf(await variables.show(actorOf(request), workspaceId, id));
    },
  );

  api.patch(
    `${ofWorkspace}/:variable_id`,
    { answer: resourceAnswer(VariableResource), schema: { params: One, body: UpdateVariable } },
    async (request) => {
      const { workspace_id: workspaceId, variable_id: id } = request.params;
      return documentOf(await variables.update(actorOf(request), workspaceId, id, request.body.data.attributes ?? {}));
    },
  );

  api.delete(`${ofWorkspace}/:variable_id`, { schema: { params: One } }, async (request, reply) => {
    const { workspace_id: workspaceId, variable_id: id } = request.params;
    await variables.remove(actorOf(request), workspaceId, id);
    reply.code(204);
  });

  api.patch(
    '/workspaces/:workspace_id/relationships/vars',
    { answer: done, schema: { params: OfWorkspace, body: ReplaceVariables } },
    async (request, reply) => {
      await variables.replace(actorOf(request), request.params.workspace_id, request.body.data);
      reply.code(204);
    },
  );

  olderRoutes(api, variables);
}

function olderRoutes(api: Api, variables: Variables): void {
  api.get('/vars', { answer: listAnswer(VariableResource), schema: { querystring: Filter } }, async (request) => {
    const { 'filter[organization][name]': organization, 'filter[workspace][name]': name } = request.query;
    return listOf(request.query, await variables.list(actorOf(request), { organization, name }));
  });

  api.post(
    '/vars',
    { answer: made(VariableResource), schema: { body: CreateByRelationship } },
    async (request, reply) => {
      const { attributes, relationships } = request.body.data;
      const created = await variables.create(actorOf(request), relationships.workspace.data.id, attributes);
      reply.code(201);
      return documentOf(created);
    },
  );

  api.patch(
    '/vars/:variable_id',
    { answer: resourceAnswer(VariableResource), schema: { params: Alone, body: UpdateVariable } },
    async (request) => {
      const actor = actorOf(request);
      const { variable_id: id } = request.params;
      const workspaceId = await variables.workspaceOf(actor, id);
      return documentOf(await variables.update(actor, workspaceId, id, request.body.data.attributes ?? {}));
    },
  );

  api.delete('/vars/:variable_id', { schema: { params: Alone } }, async (request, reply) => {
    const actor = actorOf(request);
    const { variable_id: id } = request.params;
    await variables.remove(actor, await variables.workspaceOf(actor, id), id);
    reply.code(204);
  });
}

function documentOf({ workspace, variable }: WorkspaceVariable): Document {
  return { data: VariableResource.document(variable, workspace) };
}

function listOf(query: PageQuery, { workspace, variables }: WorkspaceVariables): Document {
  return { data: wholeList(query, variables).map((variable) => VariableResource.document(variable, workspace)) };
}
