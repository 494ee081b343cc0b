import { type Static, Type } from 'typebox';
import { type AnyRequest, type Api, urlOf } from '../../http/api.ts';
import { pageOf, pageQuery } from '../../jsonapi/pagination.ts';
import { Id, identifiers } from '../../jsonapi/schema.ts';
import { done, pageAnswer } from '../../openapi/answer.ts';
import { actorOf } from '../../tenancy/index.ts';
import type { WorkspacePresenter } from '../document/presenter.ts';
import { WorkspaceResource } from '../settings/resource.ts';
import type { RemoteStateConsumers } from './consumers.ts';

const ById = Type.Object({ workspace_id: Id });
const List = Type.Object({ ...pageQuery, show_only_configured: Type.Optional(Type.Enum(['true', 'false'])) });
/** Official clients send whole workspace objects. */
const Workspaces = Type.Object({ data: identifiers('workspaces', { maxItems: 1000 }) });

type Change = AnyRequest & {
  readonly params: Static<typeof ById>;
  readonly body: Static<typeof Workspaces>;
};

/** Routes of remote state consumers (spec §4.9). */
export function consumerRoutes(api: Api, consumers: RemoteStateConsumers, presenter: WorkspacePresenter): void {
  const path = '/workspaces/:workspace_id/relationships/remote-state-consumers';
  const change = { answer: done, schema: { params: ById, body: Workspaces } };
  const idsOf = ({ body }: Change) => body.data.map(({ id }) => id);

  api.get(
    path,
    { answer: pageAnswer(WorkspaceResource), schema: { params: ById, querystring: List } },
    async (request) => {
      const actor = actorOf(request);
      const page = pageOf(request.query);
      const namedOnly = request.query.show_only_configured === 'true';
      const slice = await consumers.list(actor, request.params.workspace_id, page, namedOnly);
      return presenter.page(actor, urlOf(request), page, slice);
    },
  );

  api.post(path, change, async (request, reply) => {
    await consumers.add(actorOf(request), request.params.workspace_id, idsOf(request));
    reply.code(204);
  });

  api.patch(path, change, async (request, reply) => {
    await consumers.replace(actorOf(request), request.params.workspace_id, idsOf(request));
    reply.code(204);
  });

  api.delete(path, change, async (request, reply) => {
    await consumers.remove(actorOf(request), request.params.workspace_id, idsOf(request));
    reply.code(204);
  });
}
