import { Type } from 'typebox';
import { type Api, urlOf } from '../../http/api.ts';
import { withIncluded } from '../../jsonapi/document.ts';
import { parseInclude } from '../../jsonapi/include.ts';
import { pageDocument, pageOf, pageQuery } from '../../jsonapi/pagination.ts';
import { Id, text } from '../../jsonapi/schema.ts';
import { made, pageAnswer, resourceAnswer } from '../../openapi/answer.ts';
import type { TenancyHooks } from '../hooks/hooks.ts';
import type { OrganizationChanges } from '../organization/changes.ts';
import { EntitlementSetResource } from '../organization/entitlements.ts';
import type { Organizations } from '../organization/organizations.ts';
import type { OrganizationRemoval } from '../organization/removal.ts';
import { OrganizationResource } from '../organization/resource.ts';
import { CreateOrganization, organizationInput, UpdateOrganization } from '../organization/schema.ts';
import { SubscriptionResource } from '../organization/subscription.ts';
import { actorOf } from '../permissions/request-actor.ts';
import type { Projects } from '../project/projects.ts';
import { ProjectResource } from '../project/resource.ts';
import type { OrganizationCreation } from './creation.ts';

const One = Type.Object({ organization_name: Id });
const Show = Type.Object({ include: Type.Optional(text(200)) });
const part = Type.Optional(text(254));
const List = Type.Object({ ...pageQuery, q: part, 'q[name]': part, 'q[email]': part });

const INCLUDES = ['default_project'] as const;

export interface OrganizationServices {
  readonly hooks: Pick<TenancyHooks, 'executes'>;
  readonly organizations: Organizations;
  readonly organizationCreation: OrganizationCreation;
  readonly organizationChanges: OrganizationChanges;
  readonly organizationRemoval: OrganizationRemoval;
  readonly projects: Projects;
}

/** Routes for organizations and their entitlements. */
export function organizationRoutes(api: Api, services: OrganizationServices): void {
  const {
    hooks,
    organizations,
    organizationCreation,
    organizationChanges: changes,
    organizationRemoval: removal,
    projects,
  } = services;
  const one = { schema: { params: One } };
  const path = '/organizations/:organization_name';

  api.post(
    '/organizations',
    { answer: made(OrganizationResource), schema: { body: CreateOrganization } },
    async (request, reply) => {
      const created = await organizationCreation.create(actorOf(request), organizationInput(request.body.data));
      reply.code(201);
      return { data: OrganizationResource.document(created) };
    },
  );

  api.get(
    '/organizations',
    { answer: pageAnswer(OrganizationResource), schema: { querystring: List } },
    async (request) => {
      const { query } = request;
      const filter = { query: query.q ?? '', name: query['q[name]'] ?? '', email: query['q[email]'] ?? '' };
      // Paginates only if the client requests a page, as in HCP Terraform.
      const paged = query['page[number]'] !== undefined || query['page[size]'] !== undefined;
      const page = paged ? pageOf(query) : undefined;
      const { items, total } = await organizations.list(actorOf(request), filter, page);
      const all = { number: 1, size: Math.max(1, total), offset: 0 };
      return pageDocument(urlOf(request), page ?? all, total, items.map(OrganizationResource.document));
    },
  );

  api.get(
    path,
    { answer: resourceAnswer(OrganizationResource), schema: { params: One, querystring: Show } },
    async (request) => {
      const asked = parseInclude(request.query.include, INCLUDES);
      const actor = actorOf(request);
      const organization = await organizations.find(actor, request.params.organization_name, 'can-traverse');
      const ids = asked.has('default_project') ? [organization.defaultProjectId] : [];
      const included = await projects.readable(actor, ids);
      return withIncluded(
        OrganizationResource.document(organization),
        included.map((project) => ProjectResource.document(project)),
      );
    },
  );

  api.patch(
    path,
    { answer: resourceAnswer(OrganizationResource), schema: { params: One, body: UpdateOrganization } },
    async (request) => {
      const input = organizationInput(request.body.data);
      return {
        data: OrganizationResource.document(
          await changes.update(actorOf(request), request.params.organization_name, input),
        ),
      };
    },
  );

  api.delete(path, one, async (request, reply) => {
    await removal.delete(actorOf(request), request.params.organization_name);
    reply.code(204);
  });

  api.get(`${path}/entitlement-set`, { answer: resourceAnswer(EntitlementSetResource), ...one }, async (request) => {
    const { organization_name: name } = request.params;
    const organization = await organizations.find(actorOf(request), name, 'can-traverse');
    return { data: EntitlementSetResource.document(organization, await hooks.executes(organization.id)) };
  });

  api.get(`${path}/subscription`, { answer: resourceAnswer(SubscriptionResource), ...one }, async (request) => {
    const { organization_name: name } = request.params;
    return { data: SubscriptionResource.document(await organizations.find(actorOf(request), name, 'can-traverse')) };
  });
}
