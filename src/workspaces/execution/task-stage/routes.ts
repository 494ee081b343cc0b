import { Type } from 'typebox';
import { type Api, urlOf } from '../../http/api.ts';
import { withIncluded } from '../../jsonapi/document.ts';
import { parseInclude } from '../../jsonapi/include.ts';
import { pageDocument, pageOf, pageQuery, WholeListQuery, wholeList } from '../../jsonapi/pagination.ts';
import { Id, text } from '../../jsonapi/schema.ts';
import { actorOf } from '../../tenancy/index.ts';
import { outcomeResource, resultResource, stageResource } from './document.ts';
import { Override } from './schema.ts';
import type { StageView, TaskStages } from './task-stages.ts';

const OfRun = Type.Object({ run_id: Id });
const ById = Type.Object({ task_stage_id: Id });
const ByResult = Type.Object({ task_result_id: Id });
const include = Type.Optional(text(1000));
/** What may be asked for; of policies there is nothing to send. */
const INCLUDES = ['policy_evaluations', 'run', 'run.workspace', 'task_results'] as const;

/** Facts §6.14. */
export function taskStageRoutes(api: Api, stages: TaskStages): void {
  const included = (views: readonly StageView[], asked: string | undefined) =>
    parseInclude(asked, INCLUDES).has('task_results')
      ? views.flatMap(({ results }) => results.map(resultResource))
      : [];

  api.get(
    '/runs/:run_id/task-stages',
    { schema: { params: OfRun, querystring: Type.Object({ ...pageQuery, include }) } },
    async (request) => {
      const page = pageOf(request.query);
      const { items, total } = await stages.list(actorOf(request), request.params.run_id, page);
      const others = included(items, request.query.include);
      return pageDocument(urlOf(request), page, total, items.map(stageResource), others);
    },
  );

  api.get(
    '/task-stages/:task_stage_id',
    { schema: { params: ById, querystring: Type.Object({ include }) } },
    async (request) => {
      const stage = await stages.find(actorOf(request), request.params.task_stage_id);
      return withIncluded(stageResource(stage), included([stage], request.query.include));
    },
  );

  api.post(
    '/task-stages/:task_stage_id/actions/override',
    { schema: { params: ById, body: Override } },
    async (request) => stages.override(actorOf(request), request.params.task_stage_id),
  );

  api.get('/task-results/:task_result_id', { schema: { params: ByResult } }, async (request) => {
    return { data: resultResource(await stages.result(actorOf(request), request.params.task_result_id)) };
  });

  const ofOutcomes = { schema: { params: ByResult, querystring: WholeListQuery } };
  api.get('/task-results/:task_result_id/outcomes', ofOutcomes, async (request) => {
    const outcomes = await stages.outcomes(actorOf(request), request.params.task_result_id);
    return { data: wholeList(request.query, outcomes).map(outcomeResource) };
  });
}
