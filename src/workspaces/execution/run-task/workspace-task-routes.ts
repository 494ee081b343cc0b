import { Type } from 'typebox';
import { type Api, urlOf } from '../../http/api.ts';
import { pageDocument, pageOf, pageQuery } from '../../jsonapi/pagination.ts';
import { Id } from '../../jsonapi/schema.ts';
import { made, pageAnswer, resourceAnswer } from '../../openapi/answer.ts';
import { actorOf } from '../../tenancy/index.ts';
import { WorkspaceTaskResource } from './resource.ts';
import { CreateWorkspaceTask, UpdateWorkspaceTask } from './schema.ts';
import type { WorkspaceTasks } from './workspace-tasks.ts';

const OfWorkspace = Type.Object({ workspace_id: Id });
const One = Type.Object({ workspace_id: Id, workspace_task_id: Id });

/** Routes of a workspace's run tasks. */
export function workspaceTaskRoutes(api: Api, tasks: WorkspaceTasks): void {
  const ofWorkspace = '/workspaces/:workspace_id/tasks';
  const path = `${ofWorkspace}/:workspace_task_id`;

  api.get(
    ofWorkspace,
    { answer: pageAnswer(WorkspaceTaskResource), schema: { params: OfWorkspace, querystring: Type.Object(pageQuery) } },
    async (request) => {
      const page = pageOf(request.query);
      const { items, total } = await tasks.list(actorOf(request), request.params.workspace_id, page);
      return pageDocument(urlOf(request), page, total, items.map(WorkspaceTaskResource.document));
    },
  );

  api.post(
    ofWorkspace,
    { answer: made(WorkspaceTaskResource), schema: { params: OfWorkspace, body: CreateWorkspaceTask } },
    async (request, reply) => {
      const { attributes = {}, relationships } = request.body.data;
      const { workspace_id: workspaceId } = request.params;
      const made = await tasks.create(actorOf(request), workspaceId, relationships.task.data.id, attributes);
      reply.code(201);
      return { data: WorkspaceTaskResource.document(made) };
    },
  );

  api.get(path, { answer: resourceAnswer(WorkspaceTaskResource), schema: { params: One } }, async (request) => {
    const { workspace_id: workspaceId, workspace_task_id: id } = request.params;
    return { data: WorkspaceTaskResource.document(await tasks.find(actorOf(request), workspaceId, id)) };
  });

  api.patch(
    path,
    { answer: resourceAnswer(WorkspaceTaskResource), schema: { params: One, body: UpdateWorkspaceTask } },
    async (request) => {
      const { workspace_id: workspaceId, workspace_task_id: id } = request.params;
      const { attributes = {} } = request.body.data;
      return {
        data: WorkspaceTaskResource.document(await tasks.update(actorOf(request), workspaceId, id, attributes)),
      };
    },
  );

  api.delete(path, { schema: { params: One } }, async (request, reply) => {
    const { workspace_id: workspaceId, workspace_task_id: id } = request.params;
    await tasks.delete(actorOf(request), workspaceId, id);
    reply.code(204);
  });
}
