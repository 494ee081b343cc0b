import { type Static, Type } from 'typebox';
import { type AnyRequest, type Api, urlOf } from '../../../http/api.ts';
import { notFound } from '../../../jsonapi/errors.ts';
import { pageDocument, pageOf, pageQuery } from '../../../jsonapi/pagination.ts';
import { Id, text } from '../../../jsonapi/schema.ts';
import { done, listAnswer, pageAnswer, resourceAnswer } from '../../../openapi/answer.ts';
import { actorOf } from '../../../tenancy/index.ts';
import type { ManualChecks } from '../health/manual-checks.ts';
import type { OrganizationApps } from './apps.ts';
import type { Installations } from './installations.ts';
import { AppAccountResource, AppResource, InstallationResource } from './resource.ts';

const filter = Type.Optional(text(1000));
const List = Type.Object(pageQuery);
const Filtered = Type.Object({ ...pageQuery, 'filter[installation_id]': filter, 'filter[name]': filter });
const One = Type.Object({ github_app_installation_id: Id });
const OfOrganization = Type.Object({ organization_name: Id });
const InOrganization = Type.Object({ organization_name: Id, github_app_installation_id: Id });
const OfUser = Type.Object({ user_id: Id });

/** Routes of GitHub Apps of organizations, and of their installations. */
export function githubAppRoutes(
  api: Api,
  apps: OrganizationApps,
  installations: Installations,
  manualChecks: ManualChecks,
): void {
  const listed = async (request: AnyRequest & { readonly query: Static<typeof Filtered> }) => {
    const page = pageOf(request.query);
    const { 'filter[name]': name, 'filter[installation_id]': number } = request.query;
    // An id that is no number matches none.
    const installationId = number === undefined ? undefined : /^\d{1,15}$/.test(number) ? Number(number) : -1;
    const { items, total } = await installations.list(actorOf(request), { name, installationId }, page);
    return pageDocument(urlOf(request), page, total, items.map(InstallationResource.document));
  };
  const filtered = { answer: pageAnswer(InstallationResource), schema: { querystring: Filtered } };
  api.get('/github-app/installations', filtered, listed);
  api.get('/github-app-installations', filtered, listed);

  const one = { answer: resourceAnswer(InstallationResource), schema: { params: One } };
  api.get('/github-app/installation/:github_app_installation_id', one, async (request) => {
    const found = await installations.find(actorOf(request), request.params.github_app_installation_id);
    return { data: InstallationResource.document(found) };
  });

  const ofOrganization = '/organizations/:organization_name/github-app-installations';
  const list = { answer: pageAnswer(InstallationResource), schema: { params: OfOrganization, querystring: List } };
  api.get(ofOrganization, list, async (request) => {
    const page = pageOf(request.query);
    const { items, total } = await installations.listOf(actorOf(request), request.params.organization_name, page);
    return pageDocument(urlOf(request), page, total, items.map(InstallationResource.document));
  });

  const inOrganization = `${ofOrganization}/:github_app_installation_id`;
  api.post(
    `${inOrganization}/link-account`,
    { answer: done, schema: { params: InOrganization } },
    async (request, reply) => {
      const { organization_name: organization, github_app_installation_id: id } = request.params;
      await installations.confirmLinked(actorOf(request), organization, id);
      reply.code(204);
    },
  );

  // HCP Terraform does not have the routes below.
  api.delete(inOrganization, { schema: { params: InOrganization } }, async (request, reply) => {
    const { organization_name: organization, github_app_installation_id: id } = request.params;
    await installations.unlink(actorOf(request), organization, id);
    reply.code(204);
  });

  api.post('/github-app-installations/:github_app_installation_id/actions/check', one, async (request) => {
    const { github_app_installation_id: id } = request.params;
    return { data: InstallationResource.document(await manualChecks.checkInstallation(actorOf(request), id)) };
  });

  const app = '/organizations/:organization_name/github-app';
  api.get(app, { answer: resourceAnswer(AppResource), schema: { params: OfOrganization } }, async (request) => {
    const found = await apps.find(actorOf(request), request.params.organization_name);
    if (found === undefined) throw notFound();
    return { data: AppResource.document(found) };
  });

  // A list is empty without an App, where the route above answers 404.
  api.get(`${app}s`, { answer: listAnswer(AppResource), schema: { params: OfOrganization } }, async (request) => {
    const found = await apps.find(actorOf(request), request.params.organization_name);
    return { data: found === undefined ? [] : [AppResource.document(found)] };
  });

  api.delete(app, { schema: { params: OfOrganization } }, async (request, reply) => {
    await apps.delete(actorOf(request), request.params.organization_name);
    reply.code(204);
  });

  api.get(
    '/users/:user_id/github-app-oauth-tokens',
    { answer: pageAnswer(AppAccountResource), schema: { params: OfUser, querystring: List } },
    async (request) => {
      const page = pageOf(request.query);
      const { items, total } = await installations.accounts(actorOf(request), request.params.user_id, page);
      return pageDocument(urlOf(request), page, total, items.map(AppAccountResource.document));
    },
  );
}
