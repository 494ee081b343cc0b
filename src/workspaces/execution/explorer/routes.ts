import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { type Api, urlOf } from '../../http/api.ts';
import { type Page, pageDocument, pageOf, pageQuery } from '../../jsonapi/pagination.ts';
import { Id } from '../../jsonapi/schema.ts';
import { file as fileAnswer, pageAnswer } from '../../openapi/answer.ts';
import { actorOf } from '../../tenancy/index.ts';
import type { Explorer, ResultFile, ResultPage } from './explorer.ts';
import type { ExplorerQuery } from './query.ts';
import { FileParameters, QueryParameters, queryOf } from './query-parameters.ts';
import { RowResource, rowDocuments } from './resource.ts';
import { viewRoutes } from './view-routes.ts';
import type { ExplorerViews } from './views.ts';

const OfOrganization = Type.Object({ organization_name: Id });
const OfView = Type.Object({ organization_name: Id, view_id: Id });

/** @limit time in which a CSV file of the explorer must be read, ms -> the connection is closed */
const MAX_FILE_TIME = 300_000;

const rows = pageAnswer(RowResource);
const csvFile = fileAnswer('text/csv', false);

/** Services behind the routes. */
export interface ExplorerRoutesOptions {
  readonly explorer: Explorer;
  readonly explorerViews: ExplorerViews;
}

/** Routes of the explorer: queries, CSV files and saved views (HCP Terraform, "Explorer API"). */
export function explorerRoutes(api: Api, { explorer, explorerViews }: ExplorerRoutesOptions): void {
  const path = '/organizations/:organization_name/explorer';
  api.get(path, { answer: rows, schema: { params: OfOrganization, querystring: QueryParameters } }, async (request) => {
    const query = queryOf(request.query);
    const page = pageOf(request.query);
    const result = await explorer.page(actorOf(request), request.params.organization_name, query, page);
    return pageOfResult(urlOf(request), page, query, result);
  });

  const csv = { answer: csvFile, schema: { params: OfOrganization, querystring: FileParameters }, onSend: asCsv };
  api.get(`${path}/export/csv`, csv, async (request, reply) => {
    const query = queryOf(request.query);
    const { organization_name: organization } = request.params;
    const file = await explorer.file(actorOf(request), organization, query);
    return sendCsv(request, reply, `${organization}-${query.type}`, file);
  });

  viewRoutes(api, path, explorerViews);

  const results = { answer: rows, schema: { params: OfView, querystring: Type.Object(pageQuery) } };
  api.get(`${path}/views/:view_id/results`, results, async (request) => {
    const { organization_name: organization, view_id: id } = request.params;
    const actor = actorOf(request);
    const query = await explorerViews.queryOf(actor, organization, id);
    const page = pageOf(request.query);
    return pageOfResult(urlOf(request), page, query, await explorer.page(actor, organization, query, page));
  });

  // The documentation of HCP Terraform has the first path, and its Python client the second.
  for (const file of ['csv', 'export/csv'] as const) {
    api.get(
      `${path}/views/:view_id/${file}`,
      { answer: csvFile, schema: { params: OfView }, onSend: asCsv },
      async (request, reply) => {
        const { organization_name: organization, view_id: id } = request.params;
        const actor = actorOf(request);
        const query = await explorerViews.queryOf(actor, organization, id);
        return sendCsv(request, reply, `${organization}-${id}`, await explorer.file(actor, organization, query));
      },
    );
  }
}

function pageOfResult(url: URL, page: Page, { type }: ExplorerQuery, { fields, items, total }: ResultPage) {
  return pageDocument(url, page, total, rowDocuments(type, fields, items));
}

async function asCsv(_request: unknown, reply: FastifyReply, payload: unknown): Promise<unknown> {
  if (reply.statusCode === 200) reply.header('content-type', 'text/csv; charset=utf-8');
  return payload;
}

/** Sends the file, as long as its reader makes progress. The place of the file is free when its connection ends. */
function sendCsv(request: FastifyRequest, reply: FastifyReply, name: string, file: ResultFile): FastifyReply {
  const { close, parts } = file;
  const stream = Readable.from(parts, { objectMode: false, signal: AbortSignal.timeout(MAX_FILE_TIME) });
  stream.once('close', close);
  request.event.transfers();
  reply.header('content-disposition', `attachment; filename="${name}.csv"`);
  return reply.send(stream);
}
