import { Type } from 'typebox';
import { type Api, urlOf } from '../../http/api.ts';
import { pageDocument, pageOf, pageQuery } from '../../jsonapi/pagination.ts';
import { Id } from '../../jsonapi/schema.ts';
import { actorOf } from '../permissions/request-actor.ts';
import type { ProviderChecks } from './check.ts';
import { callbackOf, checkedProviderResource, providerResource } from './document.ts';
import { ChangeProvider, CreateProvider, newProvider, providerChange } from './input.ts';
import type { Providers } from './providers.ts';

const List = Type.Object(pageQuery);
const params = Type.Object({ organization_name: Id });
const PATH = '/organizations/:organization_name/sign-in-provider';

/** Routes for the identity provider of an organization. HCP Terraform does not have them. */
export function providerRoutes(api: Api, providers: Providers, checks: ProviderChecks): void {
  const originFor = (request: Parameters<typeof urlOf>[0]) => providers.address ?? urlOf(request).origin;

  api.get(PATH, { schema: { params } }, async (request) => {
    const found = await providers.find(actorOf(request), request.params.organization_name);
    return { data: providerResource(found, originFor(request)) };
  });

  // Lists the provider if there is one, so that clients need not handle a 404.
  api.get(`${PATH}s`, { schema: { params, querystring: List } }, async (request) => {
    const found = await providers.list(actorOf(request), request.params.organization_name);
    const page = pageOf(request.query);
    const items = page.offset === 0 ? found : [];
    const shown = items.map((one) => providerResource(one, originFor(request)));
    return pageDocument(urlOf(request), page, found.length, shown);
  });

  api.post(PATH, { schema: { params, body: CreateProvider } }, async (request, reply) => {
    const input = newProvider(request.body);
    const made = await providers.create(actorOf(request), request.params.organization_name, input);
    reply.code(201);
    return { data: providerResource(made, originFor(request)) };
  });

  api.patch(PATH, { schema: { params, body: ChangeProvider } }, async (request) => {
    const change = providerChange(request.body);
    const changed = await providers.update(actorOf(request), request.params.organization_name, change);
    return { data: providerResource(changed, originFor(request)) };
  });

  api.delete(PATH, { schema: { params } }, async (request, reply) => {
    await providers.delete(actorOf(request), request.params.organization_name);
    reply.code(204);
  });

  api.post(`${PATH}/actions/check`, { schema: { params } }, async (request) => {
    const callback = (organizationId: string) => callbackOf(originFor(request), organizationId);
    const checked = await checks.check(actorOf(request), request.params.organization_name, callback);
    return { data: checkedProviderResource(checked) };
  });
}
