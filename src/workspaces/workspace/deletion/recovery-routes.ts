import { Type } from 'typebox';
import { isoTime } from '../../../lib/clock.ts';
import { type Api, urlOf } from '../../http/api.ts';
import { type Resource, toOne } from '../../jsonapi/document.ts';
import { pageDocument, pageOf, pageQuery } from '../../jsonapi/pagination.ts';
import { Id } from '../../jsonapi/schema.ts';
import { actorOf } from '../../tenancy/index.ts';
import type { RecoverableItem } from './recoverable-store.ts';
import type { WorkspaceRecovery } from './recovery.ts';

const OfOrganization = Type.Object({ organization_name: Id });
const One = Type.Object({ recoverable_item_id: Id });

/**
 * Uses the member names of HCP Terraform's document: `recoverable-name`, `recoverable`, and `unmanaged-resources`: the
 * resources that no workspace manages since the deletion.
 */
function itemResource(item: RecoverableItem): Resource {
  const workspace = toOne('workspaces', item.workspaceId);
  return {
    id: item.id,
    type: 'recoverable-items',
    attributes: {
      name: item.name,
      'recoverable-name': item.name,
      'resource-type': 'workspaces',
      'unmanaged-resources': item.resourceCount,
      'deleted-at': isoTime(item.deletedAt),
      'expires-at': isoTime(item.expiresAt),
    },
    relationships: {
      organization: toOne('organizations', item.organizationName),
      project: toOne('projects', item.projectId),
      resource: workspace,
      recoverable: workspace,
      'deleted-by': toOne(item.deletedByType, item.deletedById),
    },
    links: { self: `/api/v2/recoverable-items/${item.id}` },
  };
}

/** Routes of deleted workspaces that can be restored. */
export function recoveryRoutes(api: Api, recovery: WorkspaceRecovery): void {
  const one = { schema: { params: One } };
  const path = '/recoverable-items/:recoverable_item_id';

  api.get(
    '/organizations/:organization_name/recoverable-items',
    { schema: { params: OfOrganization, querystring: Type.Object(pageQuery) } },
    async (request) => {
      const page = pageOf(request.query);
      const { items, total } = await recovery.list(actorOf(request), request.params.organization_name, page);
      return pageDocument(urlOf(request), page, total, items.map(itemResource));
    },
  );

  api.get(path, one, async (request) => {
    return { data: itemResource(await recovery.find(actorOf(request), request.params.recoverable_item_id)) };
  });

  api.put(`${path}/actions/recover`, one, async (request, reply) => {
    await recovery.recover(actorOf(request), request.params.recoverable_item_id);
    reply.code(204);
  });

  api.put(`${path}/actions/permanently-delete`, one, async (request, reply) => {
    await recovery.deletePermanently(actorOf(request), request.params.recoverable_item_id);
    reply.code(204);
  });
}
