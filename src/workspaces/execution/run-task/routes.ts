import { Type } from 'typebox';
import { type Api, urlOf } from '../../http/api.ts';
import { type Resource, withIncluded } from '../../jsonapi/document.ts';
import { parseInclude } from '../../jsonapi/include.ts';
import { pageDocument, pageOf, pageQuery } from '../../jsonapi/pagination.ts';
import { Id, text } from '../../jsonapi/schema.ts';
import { made, pageAnswer, resourceAnswer } from '../../openapi/answer.ts';
import { type Actor, actorOf } from '../../tenancy/index.ts';
import type { WorkspacePresenter } from '../../workspace/index.ts';
import { RunTaskResource, WorkspaceTaskResource } from './resource.ts';
import type { RunTask } from './run-task.ts';
import type { RunTasks } from './run-tasks.ts';
import { CreateTask, UpdateTask } from './schema.ts';

const ById = Type.Object({ task_id: Id });
const OfOrganization = Type.Object({ organization_name: Id });
const include = Type.Optional(text(1000));
const INCLUDES = ['workspace_tasks', 'workspace_tasks.workspace'] as const;

/** Run task routes. */
export function runTaskRoutes(api: Api, tasks: RunTasks, presenter: WorkspacePresenter): void {
  const ofOrganization = '/organizations/:organization_name/tasks';
  const path = '/tasks/:task_id';

  async function shown(actor: Actor, items: readonly RunTask[], include: string | undefined) {
    const asked = parseInclude(include, INCLUDES);
    if (asked.size === 0) return { data: items.map((task) => RunTaskResource.document(task)), included: [] };
    const { tasks: attached, workspaces } = await tasks.attached(actor, items);
    const included: Resource[] = [
      ...attached.map(WorkspaceTaskResource.document),
      ...(asked.has('workspace_tasks.workspace') ? await presenter.resourcesOf(actor, workspaces) : []),
    ];
    return { data: items.map((task) => RunTaskResource.document(task, attached)), included };
  }

  api.get(
    ofOrganization,
    {
      answer: pageAnswer(RunTaskResource),
      schema: { params: OfOrganization, querystring: Type.Object({ ...pageQuery, include }) },
    },
    async (request) => {
      const actor = actorOf(request);
      const page = pageOf(request.query);
      const { items, total } = await tasks.list(actor, request.params.organization_name, page);
      const { data, included } = await shown(actor, items, request.query.include);
      return pageDocument(urlOf(request), page, total, data, included);
    },
  );

  api.post(
    ofOrganization,
    { answer: made(RunTaskResource), schema: { params: OfOrganization, body: CreateTask } },
    async (request, reply) => {
      const { organization_name: name } = request.params;
      const made = await tasks.create(actorOf(request), name, request.body.data, urlOf(request).origin);
      reply.code(201);
      return { data: RunTaskResource.document(made) };
    },
  );

  api.get(
    path,
    { answer: resourceAnswer(RunTaskResource), schema: { params: ById, querystring: Type.Object({ include }) } },
    async (request) => {
      const actor = actorOf(request);
      const task = await tasks.find(actor, request.params.task_id);
      const { data, included } = await shown(actor, [task], request.query.include);
      return withIncluded(data[0] ?? [], included);
    },
  );

  api.patch(
    path,
    { answer: resourceAnswer(RunTaskResource), schema: { params: ById, body: UpdateTask } },
    async (request) => {
      const { task_id: id } = request.params;
      const changed = await tasks.update(actorOf(request), id, request.body.data, urlOf(request).origin);
      return { data: RunTaskResource.document(changed) };
    },
  );

  api.delete(path, { schema: { params: ById } }, async (request, reply) => {
    await tasks.delete(actorOf(request), request.params.task_id);
    reply.code(204);
  });
}
