import { Type } from 'typebox';
import { type Api, urlOf } from '../../http/api.ts';
import { withIncluded } from '../../jsonapi/document.ts';
import { parseInclude } from '../../jsonapi/include.ts';
import { pageDocument, pageOf, pageQuery } from '../../jsonapi/pagination.ts';
import { ANY_TYPE, Id, identifier, text } from '../../jsonapi/schema.ts';
import { made, pageAnswer, resourceAnswer } from '../../openapi/answer.ts';
import { actorOf } from '../../tenancy/index.ts';
import type { WorkspacePresenter } from '../../workspace/index.ts';
import { RunTriggerResource } from './resource.ts';
import type { RunTriggers } from './run-triggers.ts';

const INCLUDES = ['workspace', 'sourceable'] as const;

const ById = Type.Object({ id: Id });
const OfWorkspace = Type.Object({ workspace_id: Id });
const include = Type.Optional(text(200));
const List = Type.Object({
  ...pageQuery,
  include,
  'filter[run-trigger][type]': Type.Enum(['inbound', 'outbound']),
});
const Create = Type.Object({
  data: Type.Object({
    type: ANY_TYPE,
    relationships: Type.Object({
      sourceable: Type.Object({ data: identifier('workspaces') }),
    }),
  }),
});

/** Routes of run triggers. */
export function runTriggerRoutes(api: Api, triggers: RunTriggers, workspaces: WorkspacePresenter): void {
  api.post(
    '/workspaces/:workspace_id/run-triggers',
    { answer: made(RunTriggerResource), schema: { params: OfWorkspace, body: Create } },
    async (request, reply) => {
      const { id } = request.body.data.relationships.sourceable.data;
      const trigger = await triggers.create(actorOf(request), request.params.workspace_id, id);
      reply.code(201);
      return { data: RunTriggerResource.document(trigger) };
    },
  );

  api.get(
    '/workspaces/:workspace_id/run-triggers',
    { answer: pageAnswer(RunTriggerResource), schema: { params: OfWorkspace, querystring: List } },
    async (request) => {
      const actor = actorOf(request);
      const asked = parseInclude(request.query.include, INCLUDES);
      const page = pageOf(request.query);
      const direction = request.query['filter[run-trigger][type]'];
      const { items, total } = await triggers.list(actor, request.params.workspace_id, direction, page);
      const included = await workspaces.resourcesOf(actor, await triggers.relatedWorkspaces(actor, items, asked));
      return pageDocument(urlOf(request), page, total, items.map(RunTriggerResource.document), included);
    },
  );

  api.get(
    '/run-triggers/:id',
    { answer: resourceAnswer(RunTriggerResource), schema: { params: ById, querystring: Type.Object({ include }) } },
    async (request) => {
      const actor = actorOf(request);
      const asked = parseInclude(request.query.include, INCLUDES);
      const trigger = await triggers.show(actor, request.params.id);
      const ends = await triggers.relatedWorkspaces(actor, [trigger], asked);
      return withIncluded(RunTriggerResource.document(trigger), await workspaces.resourcesOf(actor, ends));
    },
  );

  api.delete('/run-triggers/:id', { schema: { params: ById } }, async (request, reply) => {
    await triggers.delete(actorOf(request), request.params.id);
    reply.code(204);
  });
}
