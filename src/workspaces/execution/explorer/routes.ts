import { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';
import { Type } from 'typebox';
import { type Api, urlOf } from '../../http/api.ts';
import { type Page, pageDocument, pageOf, pageQuery } from '../../jsonapi/pagination.ts';
import { Id } from '../../jsonapi/schema.ts';
import { actorOf } from '../../tenancy/index.ts';
import { csvOf } from './csv.ts';
import { rowResource } from './document.ts';
import type { Explorer } from './explorer.ts';
import type { ExplorerQuery } from './query.ts';
import { FileParameters, QueryParameters, queryOf } from './query-parameters.ts';
import type { Result } from './search.ts';
import { viewRoutes } from './view-routes.ts';
import type { ExplorerViews } from './views.ts';

const OfOrganization = Type.Object({ organization_name: Id });
const OfView = Type.Object({ organization_name: Id, view_id: Id });

/** Services behind the routes. */
export interface ExplorerRoutesOptions {
  readonly explorer: Explorer;
  readonly explorerViews: ExplorerViews;
}

/** Routes of the explorer: queries, CSV files and saved views (HCP Terraform, "Explorer API"). */
export function explorerRoutes(api: Api, { explorer, explorerViews }: ExplorerRoutesOptions): void {
  const path = '/organizations/:organization_name/explorer';
  api.get(path, { schema: { params: OfOrganization, querystring: QueryParameters } }, async (request) => {
    const query = queryOf(request.query);
    const result = await explorer.query(actorOf(request), request.params.organization_name, query);
    return pageOfResult(urlOf(request), pageOf(request.query), query, result);
  });

  const csv = { schema: { params: OfOrganization, querystring: FileParameters }, onSend: asCsv };
  api.get(`${path}/export/csv`, csv, async (request, reply) => {
    const query = queryOf(request.query);
    const { organization_name: organization } = request.params;
    const result = await explorer.query(actorOf(request), organization, query);
    return sendCsv(reply, `${organization}-${query.type}`, result);
  });

  viewRoutes(api, path, explorerViews);

  const results = { schema: { params: OfView, querystring: Type.Object(pageQuery) } };
  api.get(`${path}/views/:view_id/results`, results, async (request) => {
    const { organization_name: organization, view_id: id } = request.params;
    const actor = actorOf(request);
    const query = await explorerViews.queryOf(actor, organization, id);
    const result = await explorer.query(actor, organization, query);
    return pageOfResult(urlOf(request), pageOf(request.query), query, result);
  });

  api.get(`${path}/views/:view_id/csv`, { schema: { params: OfView }, onSend: asCsv }, async (request, reply) => {
    const { organization_name: organization, view_id: id } = request.params;
    const actor = actorOf(request);
    const query = await explorerViews.queryOf(actor, organization, id);
    return sendCsv(reply, `${organization}-${id}`, await explorer.query(actor, organization, query));
  });
}

async function pageOfResult(url: URL, page: Page, { type }: ExplorerQuery, result: Result) {
  const rows = await result.rows(page.offset, page.size);
  const resources = rows.map((row) => rowResource(type, result.fields, row));
  return pageDocument(url, page, result.total, resources);
}

async function asCsv(_request: unknown, reply: FastifyReply, payload: unknown): Promise<unknown> {
  if (reply.statusCode === 200) reply.header('content-type', 'text/csv; charset=utf-8');
  return payload;
}

function sendCsv(reply: FastifyReply, name: string, result: Result): FastifyReply {
  reply.header('content-disposition', `attachment; filename="${name}.csv"`);
  return reply.send(Readable.from(csvOf(result), { objectMode: false }));
}
