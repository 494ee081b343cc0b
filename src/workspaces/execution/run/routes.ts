import { type Static, Type } from 'typebox';
import type { Clock } from '../../../lib/clock.ts';
import { type AnyRequest, type Api, urlOf } from '../../http/api.ts';
import { sourceOf } from '../../http/request-source.ts';
import { withIncluded } from '../../jsonapi/document.ts';
import { type Page, pageDocument, pageOf } from '../../jsonapi/pagination.ts';
import { Id, text } from '../../jsonapi/schema.ts';
import { accepted, countedPage, made, pageAnswer, resourceAnswer } from '../../openapi/answer.ts';
import { actorOf } from '../../tenancy/index.ts';
import type { RunActions } from './actions.ts';
import type { RunView } from './finder.ts';
import { conditionsOf, RunQuery } from './list/list-filter.ts';
import { parseRunInclude, type RunIncludes, type RunPresenter } from './presenter.ts';
import { CapacityResource, CreateRun, RunResource } from './resource.ts';
import type { Runs } from './runs.ts';
import { ActionBody, AdvanceRun } from './schema.ts';

const ById = Type.Object({ run_id: Id });
const OfWorkspace = Type.Object({ workspace_id: Id });
const OfOrganization = Type.Object({ organization_name: Id });
const CountedQuery = Type.Object({ ...RunQuery.properties, counts: Type.Optional(Type.Enum(['true', 'false'])) });
const ShowQuery = Type.Object({ include: Type.Optional(text(1000)) });

export interface RunRoutesOptions {
  readonly clock: Clock;
  readonly runs: Runs;
  readonly runActions: RunActions;
  readonly runPresenter: RunPresenter;
}

/** Routes of runs. */
export function runRoutes(api: Api, { clock, runs, runActions, runPresenter }: RunRoutesOptions): void {
  async function answer(request: AnyRequest, run: RunView, asked: RunIncludes = new Set()) {
    const { data, included } = await runPresenter.present(actorOf(request), [run], asked, urlOf(request).origin);
    return withIncluded(data[0] ?? [], included);
  }

  api.post('/runs', { answer: made(RunResource), schema: { body: CreateRun } }, async (request, reply) => {
    const run = await runs.create(actorOf(request), request.body.data, sourceOf(request.headers));
    reply.code(201);
    return answer(request, run);
  });

  api.get(
    '/runs/:run_id',
    { answer: resourceAnswer(RunResource), schema: { params: ById, querystring: ShowQuery } },
    async (request) => {
      const asked = parseRunInclude(request.query.include);
      return answer(request, await runs.show(actorOf(request), request.params.run_id), asked);
    },
  );

  api.get(
    '/workspaces/:workspace_id/runs',
    { answer: pageAnswer(RunResource), schema: { params: OfWorkspace, querystring: RunQuery } },
    async (request) => {
      const actor = actorOf(request);
      const [asked, page, url] = [parseRunInclude(request.query.include), pageOf(request.query), urlOf(request)];
      const where = conditionsOf(request.query, clock());
      const { items, total } = await runs.list(actor, request.params.workspace_id, where, page);
      const { data, included } = await runPresenter.present(actor, items, asked, url.origin);
      return pageDocument(url, page, total, data, included);
    },
  );

  api.get(
    '/organizations/:organization_name/runs',
    { answer: countedPage(RunResource, 'RunPageMeta'), schema: { params: OfOrganization, querystring: CountedQuery } },
    async (request) => {
      const actor = actorOf(request);
      const [asked, page, url] = [parseRunInclude(request.query.include), pageOf(request.query), urlOf(request)];
      const where = conditionsOf(request.query, clock());
      const { organization_name: name } = request.params;
      const wantsCounts = request.query.counts === 'true';
      const { items, more, counts } = await runs.listOrganization(actor, name, where, page, wantsCounts);
      const { data, included } = await runPresenter.present(actor, items, asked, url.origin);
      const { links, meta } = uncounted(url, page, more);
      const told = counts && { counts: { statuses: counts.statuses, 'at-least': counts.atLeast } };
      return { ...withIncluded(data, included), links, meta: { ...meta, ...told } };
    },
  );

  api.get(
    '/organizations/:organization_name/runs/queue',
    { answer: pageAnswer(RunResource), schema: { params: OfOrganization, querystring: RunQuery } },
    async (request) => {
      const actor = actorOf(request);
      const [asked, page, url] = [parseRunInclude(request.query.include), pageOf(request.query), urlOf(request)];
      const where = conditionsOf(request.query, clock());
      const { items, total } = await runs.queue(actor, request.params.organization_name, where, page);
      const { data, included } = await runPresenter.present(actor, items, asked, url.origin);
      return pageDocument(url, page, total, data, included);
    },
  );

  api.get(
    '/organizations/:organization_name/capacity',
    { answer: resourceAnswer(CapacityResource), schema: { params: OfOrganization } },
    async (request) => {
      const { organization_name: id } = request.params;
      const capacity = await runs.capacity(actorOf(request), id);
      return { data: CapacityResource.document({ id, ...capacity }) };
    },
  );

  const deciding = { answer: accepted, schema: { params: ById, body: ActionBody } };
  type Decision = AnyRequest & { readonly params: Static<typeof ById>; readonly body: Static<typeof ActionBody> };
  const said = ({ body }: Decision) => body?.comment ?? '';

  api.post('/runs/:run_id/actions/apply', deciding, async (request, reply) => {
    await runActions.apply(actorOf(request), request.params.run_id, said(request));
    reply.code(202);
  });

  api.post('/runs/:run_id/actions/discard', deciding, async (request, reply) => {
    await runActions.discard(actorOf(request), request.params.run_id, said(request));
    reply.code(202);
  });

  api.post('/runs/:run_id/actions/cancel', deciding, async (request, reply) => {
    await runActions.cancel(actorOf(request), request.params.run_id, said(request));
    reply.code(202);
  });

  api.post('/runs/:run_id/actions/force-cancel', deciding, async (request, reply) => {
    await runActions.forceCancel(actorOf(request), request.params.run_id, said(request));
    reply.code(202);
  });

  api.post('/runs/:run_id/actions/force-execute', deciding, async (request, reply) => {
    await runActions.forceExecute(actorOf(request), request.params.run_id);
    reply.code(202);
  });

  api.post(
    '/runs/:run_id/actions/advance',
    { answer: resourceAnswer(RunResource), schema: { params: ById, body: AdvanceRun } },
    async (request) => {
      const { run_id: id } = request.params;
      await runActions.advance(actorOf(request), id, request.body.data.attributes);
      return answer(request, await runs.show(actorOf(request), id));
    },
  );
}

/** Pagination of a list whose total length is unknown. */
function uncounted(url: URL, page: Page, more: boolean) {
  const link = (number: number | null) => {
    if (number === null) return null;
    const to = new URL(url);
    to.searchParams.set('page[number]', String(number));
    to.searchParams.set('page[size]', String(page.size));
    return to.href;
  };
  const [previous, next] = [page.number > 1 ? page.number - 1 : null, more ? page.number + 1 : null];
  return {
    links: { self: link(page.number), first: link(1), prev: link(previous), next: link(next) },
    meta: {
      pagination: {
        'current-page': page.number,
        'page-size': page.size,
        'prev-page': previous,
        'next-page': next,
      },
    },
  };
}
