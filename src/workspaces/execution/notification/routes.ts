import { Type } from 'typebox';
import { type Api, urlOf } from '../../http/api.ts';
import { pageDocument, pageOf, pageQuery } from '../../jsonapi/pagination.ts';
import { Id } from '../../jsonapi/schema.ts';
import { listAnswer, made, pageIfAsked, resourceAnswer } from '../../openapi/answer.ts';
import { actorOf } from '../../tenancy/index.ts';
import type { NotificationConfigurations } from './configurations.ts';
import { inheritedDocument, NotificationResource } from './resource.ts';
import { CreateConfiguration, UpdateConfiguration } from './schema.ts';
import type { Subscribable } from './subscribables.ts';

const ById = Type.Object({ notification_configuration_id: Id });
const List = Type.Object(pageQuery);

/** Paths of the scopes, each with its parameter. */
const SCOPES = [
  { type: 'workspaces', parameter: 'workspace_id' },
  { type: 'projects', parameter: 'project_id' },
  { type: 'teams', parameter: 'team_id' },
  { type: 'organizations', parameter: 'organization_name' },
] as const;

/** Notification routes. */
export function notificationRoutes(api: Api, configurations: NotificationConfigurations): void {
  for (const scope of SCOPES) scopeRoutes(api, configurations, scope);
  const path = '/notification-configurations/:notification_configuration_id';
  const one = { schema: { params: ById } };

  api.get(
    '/workspaces/:workspace_id/inherited-notification-configurations',
    { answer: listAnswer(NotificationResource), schema: { params: Type.Object({ workspace_id: Id }) } },
    async (request) => {
      const inherited = await configurations.inherited(actorOf(request), request.params.workspace_id);
      return { data: inherited.map(inheritedDocument) };
    },
  );

  api.get(path, { answer: resourceAnswer(NotificationResource), ...one }, async (request) => {
    const { notification_configuration_id: id } = request.params;
    return { data: NotificationResource.document(await configurations.find(actorOf(request), id)) };
  });

  api.patch(
    path,
    { answer: resourceAnswer(NotificationResource), schema: { params: ById, body: UpdateConfiguration } },
    async (request) => {
      const { notification_configuration_id: id } = request.params;
      const { data } = request.body;
      const changed = await configurations.update(actorOf(request), id, data, urlOf(request).origin);
      return { data: NotificationResource.document(changed) };
    },
  );

  api.delete(path, one, async (request, reply) => {
    await configurations.delete(actorOf(request), request.params.notification_configuration_id);
    reply.code(204);
  });

  api.post(`${path}/actions/verify`, { answer: resourceAnswer(NotificationResource), ...one }, async (request) => {
    const { notification_configuration_id: id } = request.params;
    return { data: NotificationResource.document(await configurations.verify(actorOf(request), id)) };
  });
}

function scopeRoutes(
  api: Api,
  configurations: NotificationConfigurations,
  { type, parameter }: (typeof SCOPES)[number],
) {
  const path = `/${type}/:${parameter}/notification-configurations`;
  const params = Type.Object({ [parameter]: Id });
  const scopeOf = (given: unknown): Subscribable => ({ type, id: (given as Record<string, string>)[parameter] ?? '' });

  api.get(
    path,
    { answer: pageIfAsked(NotificationResource), schema: { params, querystring: List } },
    async (request) => {
      const { query } = request;
      const page = pageOf(query);
      const { items, total } = await configurations.list(actorOf(request), scopeOf(request.params), page);
      const data = items.map(NotificationResource.document);
      // As in HCP Terraform, pagination appears only on request. All configurations fit on the first page.
      const paged = query['page[number]'] !== undefined || query['page[size]'] !== undefined;
      return paged ? pageDocument(urlOf(request), page, total, data) : { data };
    },
  );

  api.post(
    path,
    { answer: made(NotificationResource), schema: { params, body: CreateConfiguration } },
    async (request, reply) => {
      const { data } = request.body;
      const { origin } = urlOf(request);
      const made = await configurations.create(actorOf(request), scopeOf(request.params), data, origin);
      reply.code(201);
      return { data: NotificationResource.document(made) };
    },
  );
}
