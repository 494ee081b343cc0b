import { type Static, Type } from 'typebox';
import { isoTime } from '../../../../lib/clock.ts';
import { type AnyRequest, type Api, urlOf } from '../../../http/api.ts';
import { type Resource, toOne } from '../../../jsonapi/document.ts';
import { notFound } from '../../../jsonapi/errors.ts';
import { pageDocument, pageOf, pageQuery } from '../../../jsonapi/pagination.ts';
import { Id, text } from '../../../jsonapi/schema.ts';
import { actorOf } from '../../../tenancy/index.ts';
import type { ManualChecks } from '../health/manual-checks.ts';
import { installUrl } from '../sign-in/pages.ts';
import type { AppAccount, LinkedInstallation, OrganizationApp } from './app.ts';
import { APP_PAGE, type OrganizationApps } from './apps.ts';
import type { Installations } from './installations.ts';

const filter = Type.Optional(text(1000));
const List = Type.Object(pageQuery);
const Filtered = Type.Object({ ...pageQuery, 'filter[installation_id]': filter, 'filter[name]': filter });
const One = Type.Object({ github_app_installation_id: Id });
const OfOrganization = Type.Object({ organization_name: Id });
const InOrganization = Type.Object({ organization_name: Id, github_app_installation_id: Id });
const OfUser = Type.Object({ user_id: Id });

function appResource(app: OrganizationApp): Resource {
  const { id, name, slug, httpUrl, organizationName, createdAt } = app;
  const connect = `${APP_PAGE}?${new URLSearchParams({ organization_id: organizationName })}`;
  return {
    ...{ id, type: 'github-apps' },
    attributes: {
      ...{ name, slug, 'http-url': httpUrl, 'created-at': isoTime(createdAt) },
      'install-url': installUrl(app),
      'connect-path': connect,
    },
    relationships: { organization: toOne('organizations', organizationName) },
    links: { self: `/api/v2/organizations/${organizationName}/github-app` },
  };
}

function installationResource(one: LinkedInstallation): Resource {
  const { status, reason, since, checkedAt } = one.health;
  return {
    ...{ id: one.id, type: 'github-app-installations' },
    attributes: {
      name: one.account,
      'installation-id': one.installationId,
      'icon-url': one.iconUrl,
      'installation-type': one.accountType,
      'installation-url': one.installationUrl,
      'connection-status': status,
      'connection-status-reason': reason,
      'connection-status-since': since === null ? null : isoTime(since),
      'connection-checked-at': checkedAt === null ? null : isoTime(checkedAt),
      'affected-workspaces-count': one.workspaces,
    },
    relationships: { organization: toOne('organizations', one.organizationName) },
    links: { self: `/api/v2/github-app/installation/${one.id}` },
  };
}

const accountResource = ({ id, userId, name, createdAt }: AppAccount): Resource => ({
  ...{ id, type: 'github-app-oauth-tokens' },
  attributes: { 'created-at': isoTime(createdAt), 'github-username': name },
  relationships: { user: toOne('users', userId) },
});

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
    return pageDocument(urlOf(request), page, total, items.map(installationResource));
  };
  api.get('/github-app/installations', { schema: { querystring: Filtered } }, listed);
  api.get('/github-app-installations', { schema: { querystring: Filtered } }, listed);

  api.get('/github-app/installation/:github_app_installation_id', { schema: { params: One } }, async (request) => {
    const found = await installations.find(actorOf(request), request.params.github_app_installation_id);
    return { data: installationResource(found) };
  });

  const ofOrganization = '/organizations/:organization_name/github-app-installations';
  api.get(ofOrganization, { schema: { params: OfOrganization, querystring: List } }, async (request) => {
    const page = pageOf(request.query);
    const { items, total } = await installations.listOf(actorOf(request), request.params.organization_name, page);
    return pageDocument(urlOf(request), page, total, items.map(installationResource));
  });

  const inOrganization = `${ofOrganization}/:github_app_installation_id`;
  api.post(`${inOrganization}/link-account`, { schema: { params: InOrganization } }, async (request, reply) => {
    const { organization_name: organization, github_app_installation_id: id } = request.params;
    await installations.confirmLinked(actorOf(request), organization, id);
    reply.code(204);
  });

  // HCP Terraform does not have the routes below.
  api.delete(inOrganization, { schema: { params: InOrganization } }, async (request, reply) => {
    const { organization_name: organization, github_app_installation_id: id } = request.params;
    await installations.unlink(actorOf(request), organization, id);
    reply.code(204);
  });

  api.post(
    '/github-app-installations/:github_app_installation_id/actions/check',
    { schema: { params: One } },
    async (request) => {
      const { github_app_installation_id: id } = request.params;
      return { data: installationResource(await manualChecks.checkInstallation(actorOf(request), id)) };
    },
  );

  const app = '/organizations/:organization_name/github-app';
  api.get(app, { schema: { params: OfOrganization } }, async (request) => {
    const found = await apps.find(actorOf(request), request.params.organization_name);
    if (found === undefined) throw notFound();
    return { data: appResource(found) };
  });

  // A list is empty without an App, where the route above answers 404.
  api.get(`${app}s`, { schema: { params: OfOrganization } }, async (request) => {
    const found = await apps.find(actorOf(request), request.params.organization_name);
    return { data: found === undefined ? [] : [appResource(found)] };
  });

  api.delete(app, { schema: { params: OfOrganization } }, async (request, reply) => {
    await apps.delete(actorOf(request), request.params.organization_name);
    reply.code(204);
  });

  api.get(
    '/users/:user_id/github-app-oauth-tokens',
    { schema: { params: OfUser, querystring: List } },
    async (request) => {
      const page = pageOf(request.query);
      const { items, total } = await installations.accounts(actorOf(request), request.params.user_id, page);
      return pageDocument(urlOf(request), page, total, items.map(accountResource));
    },
  );
}
