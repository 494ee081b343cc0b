import { Type } from 'typebox';
import { type Api, urlOf } from '../../http/api.ts';
import { pageDocument, pageOf, pageQuery } from '../../jsonapi/pagination.ts';
import { Id } from '../../jsonapi/schema.ts';
import { made, pageAnswer, resourceAnswer } from '../../openapi/answer.ts';
import { actorOf } from '../permissions/request-actor.ts';
import type { ProviderChecks } from './check.ts';
import { ProviderCheckResource } from './check-resource.ts';
import { ChangeProvider, CreateProvider, newProvider, providerChange } from './input.ts';
import type { Providers } from './providers.ts';
import { callbackOf, ProviderResource } from './resource.ts';

const List = Type.Object(pageQuery);
const params = Type.Object({ organization_name: Id });
const PATH = '/organizations/:organization_name/sign-in-provider';

/** Routes for the identity provider of an organization. HCP Terraform does not have them. */
export function providerRoutes(api: Api, providers: Providers, checks: ProviderChecks): void {
  const originFor = (request: Parameters<typeof urlOf>[0]) => providers.address ?? urlOf(request).origin;

  api.get(PATH, { answer: resourceAnswer(ProviderResource), schema: { params } }, async (request) => {
    const found = await providers.find(actorOf(request), request.params.organization_name);
    return { data: ProviderResource.document(found, originFor(request)) };
  });

  // Lists the provider if there is one, so that clients need not handle a 404.
  api.get(
    `${PATH}s`,
    { answer: pageAnswer(ProviderResource), schema: { params, querystring: List } },
    async (request) => {
      const found = await providers.list(actorOf(request), request.params.organization_name);
      const page = pageOf(request.query);
      const items = page.offset === 0 ? found : [];
      const shown = items.map((one) => ProviderResource.document(one, originFor(request)));
      return pageDocument(urlOf(request), page, found.length, shown);
    },
  );

  api.post(
    PATH,
    { answer: made(ProviderResource), schema: { params, body: CreateProvider } },
    async (request, reply) => {
      const input = newProvider(request.body);
      const created = await providers.create(actorOf(request), request.params.organization_name, input);
      reply.code(201);
      return { data: ProviderResource.document(created, originFor(request)) };
    },
  );

  api.patch(
    PATH,
    { answer: resourceAnswer(ProviderResource), schema: { params, body: ChangeProvider } },
    async (request) => {
      const change = providerChange(request.body);
      const changed = await providers.update(actorOf(request), request.params.organization_name, change);
      return { data: ProviderResource.document(changed, originFor(request)) };
    },
  );

  api.delete(PATH, { schema: { params } }, async (request, reply) => {
    await providers.delete(actorOf(request), request.params.organization_name);
    reply.code(204);
  });

  api.post(
    `${PATH}/actions/check`,
    { answer: resourceAnswer(ProviderCheckResource), schema: { params } },
    async (request) => {
      const callback = (organizationId: string) => callbackOf(originFor(request), organizationId);
      const checked = await checks.check(actorOf(request), request.params.organization_name, callback);
      return { data: ProviderCheckResource.document(checked) };
    },
  );
}
