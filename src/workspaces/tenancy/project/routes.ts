import { Type } from 'typebox';
import { type Api, urlOf } from '../../http/api.ts';
import type { Resource } from '../../jsonapi/document.ts';
import { withIncluded } from '../../jsonapi/document.ts';
import { parseInclude } from '../../jsonapi/include.ts';
import { pageDocument, pageOf } from '../../jsonapi/pagination.ts';
import { Id, text } from '../../jsonapi/schema.ts';
import { made, pageAnswer, resourceAnswer } from '../../openapi/answer.ts';
import type { Organizations } from '../organization/organizations.ts';
import { OrganizationResource } from '../organization/resource.ts';
import type { Actor } from '../permissions/actor.ts';
import { actorOf } from '../permissions/request-actor.ts';
import { EffectiveTagBindingResource } from '../tag-binding/resource.ts';
import type { ProjectBindings } from './bindings.ts';
import type { ProjectChanges } from './changes.ts';
import type { ProjectView } from './project.ts';
import type { Projects } from './projects.ts';
import { ProjectResource } from './resource.ts';
import { CreateProject, filterOf, ListProjects, projectInput, UpdateProject } from './schema.ts';

const OfOrganization = Type.Object({ organization_name: Id });
const One = Type.Object({ project_id: Id });
const Show = Type.Object({ include: Type.Optional(text(200)) });

const INCLUDES = ['effective_tag_bindings', 'organization'] as const;
type Include = (typeof INCLUDES)[number];

export interface ProjectServices {
  readonly organizations: Organizations;
  readonly projects: Projects;
  readonly projectChanges: ProjectChanges;
  readonly projectBindings: ProjectBindings;
}

/** Routes for the projects of an organization. */
export function projectRoutes(api: Api, services: ProjectServices): void {
  const { projects, projectChanges: changes } = services;
  const ofOrganization = '/organizations/:organization_name/projects';
  const one = '/projects/:project_id';

  api.post(
    ofOrganization,
    { answer: made(ProjectResource), schema: { params: OfOrganization, body: CreateProject } },
    async (request, reply) => {
      const { data } = request.body;
      const bindings = data.relationships?.['tag-bindings']?.data ?? [];
      const { organization_name: organization } = request.params;
      const project = await changes.create(actorOf(request), organization, projectInput(data), bindings);
      reply.code(201);
      return { data: ProjectResource.document(project) };
    },
  );

  api.get(
    ofOrganization,
    { answer: pageAnswer(ProjectResource), schema: { params: OfOrganization, querystring: ListProjects } },
    async (request) => {
      const { params, query } = request;
      const asked = parseInclude(query.include, INCLUDES);
      const page = pageOf(query);
      const actor = actorOf(request);
      const { items, total } = await projects.list(actor, params.organization_name, filterOf(query), page);
      const { data, included } = await withIncludes(services, actor, items, asked);
      return pageDocument(urlOf(request), page, total, data, included);
    },
  );

  api.get(
    one,
    { answer: resourceAnswer(ProjectResource), schema: { params: One, querystring: Show } },
    async (request) => {
      const asked = parseInclude(request.query.include, INCLUDES);
      const actor = actorOf(request);
      const project = await projects.find(actor, request.params.project_id, 'can-read');
      const { data, included } = await withIncludes(services, actor, [project], asked);
      return withIncluded(data[0] ?? ProjectResource.document(project), included);
    },
  );

  api.patch(
    one,
    { answer: resourceAnswer(ProjectResource), schema: { params: One, body: UpdateProject } },
    async (request) => {
      const { data } = request.body;
      const bindings = data.relationships?.['tag-bindings']?.data;
      const { project_id: id } = request.params;
      return {
        data: ProjectResource.document(await changes.update(actorOf(request), id, projectInput(data), bindings)),
      };
    },
  );

  api.delete(one, { schema: { params: One } }, async (request, reply) => {
    await changes.delete(actorOf(request), request.params.project_id);
    reply.code(204);
  });
}

/** Converts projects, with the included resources that the client requests. */
async function withIncludes(
  { organizations, projectBindings }: ProjectServices,
  actor: Actor,
  projects: readonly ProjectView[],
  asked: ReadonlySet<Include>,
): Promise<{ data: Resource[]; included: Resource[] }> {
  const ids = asked.has('effective_tag_bindings') ? projects.map(({ id }) => id) : [];
  const bindings = await projectBindings.inherited(ids);
  const byProject = Map.groupBy(bindings, ({ projectId }) => projectId);
  const names = asked.has('organization') ? [...new Set(projects.map((project) => project.organizationName))] : [];
  const found = await Promise.all(names.map((name) => organizations.find(actor, name, 'can-traverse')));
  return {
    data: projects.map((project) =>
      ProjectResource.document(project, ids.length > 0 ? (byProject.get(project.id) ?? []) : undefined),
    ),
    included: [...bindings.map(EffectiveTagBindingResource.document), ...found.map(OrganizationResource.document)],
  };
}
