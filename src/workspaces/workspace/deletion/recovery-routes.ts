import { Type } from 'typebox';
import { type Api, urlOf } from '../../http/api.ts';
import { pageDocument, pageOf, pageQuery } from '../../jsonapi/pagination.ts';
import { Id } from '../../jsonapi/schema.ts';
import { done, pageAnswer, resourceAnswer } from '../../openapi/answer.ts';
import { actorOf } from '../../tenancy/index.ts';
import type { WorkspaceRecovery } from './recovery.ts';
import { RecoverableItemResource } from './resource.ts';

const OfOrganization = Type.Object({ organization_name: Id });
const One = Type.Object({ recoverable_item_id: Id });

/** Routes of deleted workspaces that can be restored. */
export function recoveryRoutes(api: Api, recovery: WorkspaceRecovery): void {
  const action = { answer: done, schema: { params: One } };
  const path = '/recoverable-items/:recoverable_item_id';

  api.get(
    '/organizations/:organization_name/recoverable-items',
    {
      answer: pageAnswer(RecoverableItemResource),
      schema: { params: OfOrganization, querystring: Type.Object(pageQuery) },
    },
    async (request) => {
      const page = pageOf(request.query);
      const { items, total } = await recovery.list(actorOf(request), request.params.organization_name, page);
      return pageDocument(urlOf(request), page, total, items.map(RecoverableItemResource.document));
    },
  );

  api.get(path, { answer: resourceAnswer(RecoverableItemResource), schema: { params: One } }, async (request) => {
    return {
      data: RecoverableItemResource.document(await recovery.find(actorOf(request), request.params.recoverable_item_id)),
    };
  });

  api.put(`${path}/actions/recover`, action, async (request, reply) => {
    await recovery.recover(actorOf(request), request.params.recoverable_item_id);
    reply.code(204);
  });

  api.put(`${path}/actions/permanently-delete`, action, async (request, reply) => {
    await recovery.deletePermanently(actorOf(request), request.params.recoverable_item_id);
    reply.code(204);
  });
}
