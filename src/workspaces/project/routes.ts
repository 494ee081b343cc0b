import { Type } from 'typebox';
import { type Api, actorOf, urlOf } from '../http/api.ts';
import { pageDocument, pageOf, pageQuery } from '../jsonapi/pagination.ts';
import { commaList, Id, nullable, resourceBody, text } from '../jsonapi/schema.ts';
import { projectResource } from './document.ts';
import type { Projects } from './projects.ts';

const OfOrganization = Type.Object({ organization_name: Id });
const One = Type.Object({ project_id: Id });
const List = Type.Object({ ...pageQuery, 'filter[names]': Type.Optional(text(1000)) });
const Create = resourceBody(
  'projects',
  Type.Object({ name: text(40), description: Type.Optional(nullable(text(256))) }),
  {},
);

/** The projects of an organization. */
export function projectRoutes(api: Api, projects: Projects): void {
  api.post(
    '/organizations/:organization_name/projects',
    { schema: { params: OfOrganization, body: Create } },
    async (request, reply) => {
      const { name, description = null } = request.body.data.attributes;
      const { organization_name: organization } = request.params;
      const project = await projects.create(actorOf(request), organization, { name, description });
      reply.code(201);
      return { data: projectResource(project) };
    },
  );

  api.get(
    '/organizations/:organization_name/projects',
    { schema: { params: OfOrganization, querystring: List } },
    async (request) => {
      const page = pageOf(request.query);
      const names = commaList(request.query['filter[names]']);
      const { organization_name: organization } = request.params;
      const { items, total } = await projects.list(actorOf(request), organization, names, page);
      return pageDocument(urlOf(request), page, total, items.map(projectResource));
    },
  );

  api.get('/projects/:project_id', { schema: { params: One } }, async (request) => {
    return { data: projectResource(await projects.find(actorOf(request), request.params.project_id, 'can-read')) };
  });
}
