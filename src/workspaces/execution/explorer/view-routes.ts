import { Type } from 'typebox';
import { type Api, urlOf } from '../../http/api.ts';
import { pageDocument, pageOf, pageQuery } from '../../jsonapi/pagination.ts';
import { Id } from '../../jsonapi/schema.ts';
import { made, pageAnswer, resourceAnswer } from '../../openapi/answer.ts';
import { actorOf } from '../../tenancy/index.ts';
import { ViewResource } from './resource.ts';
import { ViewBody, viewInput } from './view-schema.ts';
import type { ExplorerViews } from './views.ts';

const OfOrganization = Type.Object({ organization_name: Id });
const OfView = Type.Object({ organization_name: Id, view_id: Id });

const answer = resourceAnswer(ViewResource);

/** Routes of saved views. @param explorer path of the explorer */
export function viewRoutes(api: Api, explorer: string, views: ExplorerViews): void {
  const path = `${explorer}/views` as '/organizations/:organization_name/explorer/views';
  const list = {
    answer: pageAnswer(ViewResource),
    schema: { params: OfOrganization, querystring: Type.Object(pageQuery) },
  };
  api.get(path, list, async (request) => {
    const page = pageOf(request.query);
    const { items, total } = await views.list(actorOf(request), request.params.organization_name, page);
    return pageDocument(urlOf(request), page, total, items.map(ViewResource.document));
  });

  api.post(
    path,
    { answer: made(ViewResource), schema: { params: OfOrganization, body: ViewBody } },
    async (request, reply) => {
      const { organization_name: organization } = request.params;
      const view = await views.create(actorOf(request), organization, viewInput(request.body));
      reply.code(201);
      return { data: ViewResource.document(view) };
    },
  );

  const one = { answer, schema: { params: OfView } };
  api.get(`${path}/:view_id`, one, async (request) => {
    const { organization_name: organization, view_id: id } = request.params;
    return { data: ViewResource.document(await views.find(actorOf(request), organization, id)) };
  });

  api.patch(`${path}/:view_id`, { answer, schema: { params: OfView, body: ViewBody } }, async (request) => {
    const { organization_name: organization, view_id: id } = request.params;
    return {
      data: ViewResource.document(await views.update(actorOf(request), organization, id, viewInput(request.body))),
    };
  });

  // HCP Terraform returns the deleted view.
  api.delete(`${path}/:view_id`, one, async (request) => {
    const { organization_name: organization, view_id: id } = request.params;
    return { data: ViewResource.document(await views.delete(actorOf(request), organization, id)) };
  });
}
