import { Type } from 'typebox';
import { type Api, actorOf, urlOf } from '../http/api.ts';
import { pageDocument, pageOf, pageQuery } from '../jsonapi/pagination.ts';
import { Id, nullable, nullableEnum, resourceBody, text } from '../jsonapi/schema.ts';
import { entitlementSetResource, organizationResource } from './document.ts';
import type { Founding } from './founding.ts';
import type { Organizations } from './organizations.ts';

const One = Type.Object({ organization_name: Id });
const Create = resourceBody(
  'organizations',
  Type.Object({
    name: text(90),
    email: text(254),
    'default-execution-mode': Type.Optional(nullableEnum(['remote', 'local'])),
    'allow-force-delete-workspaces': Type.Optional(nullable(Type.Boolean())),
  }),
  {},
);

/** Organizations, and what they are entitled to. */
export function organizationRoutes(api: Api, organizations: Organizations, founding: Founding): void {
  const one = { schema: { params: One } };

  api.post('/organizations', { schema: { body: Create } }, async (request, reply) => {
    const { name, email, ...settings } = request.body.data.attributes;
    const founded = await founding.found(actorOf(request), {
      name,
      email,
      defaultExecutionMode: settings['default-execution-mode'] ?? 'remote',
      allowForceDelete: settings['allow-force-delete-workspaces'] ?? false,
    });
    reply.code(201);
    return { data: organizationResource(founded) };
  });

  api.get('/organizations', { schema: { querystring: Type.Object(pageQuery) } }, async (request) => {
    const page = pageOf(request.query);
    const { items, total } = await organizations.list(actorOf(request), page);
    return pageDocument(urlOf(request), page, total, items.map(organizationResource));
  });

  api.get('/organizations/:organization_name', one, async (request) => {
    const { organization_name: name } = request.params;
    return { data: organizationResource(await organizations.find(actorOf(request), name, 'can-traverse')) };
  });

  api.get('/organizations/:organization_name/entitlement-set', one, async (request) => {
    const { organization_name: name } = request.params;
    return { data: entitlementSetResource(await organizations.find(actorOf(request), name, 'can-traverse')) };
  });
}
