import { Type } from 'typebox';
import { type Api, urlOf } from '../../http/api.ts';
import { pageDocument, pageOf, pageQuery } from '../../jsonapi/pagination.ts';
import { Id } from '../../jsonapi/schema.ts';
import { actorOf } from '../../tenancy/index.ts';
import type { NotificationConfigurations } from './configurations.ts';
import { configurationResource } from './document.ts';
import { CreateConfiguration, UpdateConfiguration } from './schema.ts';

const ById = Type.Object({ notification_configuration_id: Id });
const OfWorkspace = Type.Object({ workspace_id: Id });
const List = Type.Object(pageQuery);

/** Notification routes. */
export function notificationRoutes(api: Api, configurations: NotificationConfigurations): void {
  const ofWorkspace = '/workspaces/:workspace_id/notification-configurations';
  const path = '/notification-configurations/:notification_configuration_id';
  const one = { schema: { params: ById } };

  api.get(ofWorkspace, { schema: { params: OfWorkspace, querystring: List } }, async (request) => {
    const { query } = request;
    const page = pageOf(query);
    const { items, total } = await configurations.list(actorOf(request), request.params.workspace_id, page);
    const data = items.map(configurationResource);
    // As in HCP Terraform, pagination appears only on request. All configurations fit on the first page.
    const paged = query['page[number]'] !== undefined || query['page[size]'] !== undefined;
    return paged ? pageDocument(urlOf(request), page, total, data) : { data };
  });

  api.post(ofWorkspace, { schema: { params: OfWorkspace, body: CreateConfiguration } }, async (request, reply) => {
    const { data } = request.body;
    const { workspace_id: workspaceId } = request.params;
    const made = await configurations.create(actorOf(request), workspaceId, data, urlOf(request).origin);
    reply.code(201);
    return { data: configurationResource(made) };
  });

  api.get(path, one, async (request) => {
    const { notification_configuration_id: id } = request.params;
    return { data: configurationResource(await configurations.find(actorOf(request), id)) };
  });

  api.patch(path, { schema: { params: ById, body: UpdateConfiguration } }, async (request) => {
    const { notification_configuration_id: id } = request.params;
    const { data } = request.body;
    const changed = await configurations.update(actorOf(request), id, data, urlOf(request).origin);
    return { data: configurationResource(changed) };
  });

  api.delete(path, one, async (request, reply) => {
    await configurations.delete(actorOf(request), request.params.notification_configuration_id);
    reply.code(204);
  });

  api.post(`${path}/actions/verify`, one, async (request) => {
    const { notification_configuration_id: id } = request.params;
    return { data: configurationResource(await configurations.verify(actorOf(request), id)) };
  });
}
