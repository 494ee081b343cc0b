import { Type } from 'typebox';
import { type Api, urlOf } from '../../http/api.ts';
import { type Resource, withIncluded } from '../../jsonapi/document.ts';
import { parseInclude } from '../../jsonapi/include.ts';
import { pageDocument, pageOf, pageQuery, WholeListQuery, wholeList } from '../../jsonapi/pagination.ts';
import { Id, text } from '../../jsonapi/schema.ts';
import { absent, listAnswer, pageAnswer, resourceAnswer } from '../../openapi/answer.ts';
import { type Actor, actorOf } from '../../tenancy/index.ts';
import type { IncludedRuns } from '../run/included-runs.ts';
import { TaskOutcomeResource, TaskResultResource, TaskStageResource } from './resource.ts';
import { Override } from './schema.ts';
import type { StageView, TaskStages } from './task-stages.ts';

const OfRun = Type.Object({ run_id: Id });
const ById = Type.Object({ task_stage_id: Id });
const ByResult = Type.Object({ task_result_id: Id });
const include = Type.Optional(text(1000));
/** Accepted values of `include`. There are no policy evaluations. */
const INCLUDES = ['policy_evaluations', 'run', 'run.workspace', 'task_results'] as const;

/** Routes of stages and their results. */
export function taskStageRoutes(api: Api, stages: TaskStages, runs: IncludedRuns): void {
  async function included(actor: Actor, views: readonly StageView[], include: string | undefined, { origin }: URL) {
    const asked = parseInclude(include, INCLUDES);
    const beside = new Set(asked.has('run.workspace') ? (['workspace'] as const) : []);
    const ids = asked.has('run') ? views.map(({ runId }) => runId) : [];
    const resources: Resource[] = asked.has('task_results')
      ? views.flatMap(({ results }) => results.map(TaskResultResource.document))
      : [];
    return [...resources, ...(await runs.named(actor, ids, origin, beside))];
  }

  api.get(
    '/runs/:run_id/task-stages',
    {
      answer: pageAnswer(TaskStageResource),
      schema: { params: OfRun, querystring: Type.Object({ ...pageQuery, include }) },
    },
    async (request) => {
      const [actor, page, url] = [actorOf(request), pageOf(request.query), urlOf(request)];
      const { items, total } = await stages.list(actor, request.params.run_id, page);
      const others = await included(actor, items, request.query.include, url);
      return pageDocument(url, page, total, items.map(TaskStageResource.document), others);
    },
  );

  api.get(
    '/task-stages/:task_stage_id',
    { answer: resourceAnswer(TaskStageResource), schema: { params: ById, querystring: Type.Object({ include }) } },
    async (request) => {
      const actor = actorOf(request);
      const stage = await stages.find(actor, request.params.task_stage_id);
      return withIncluded(
        TaskStageResource.document(stage),
        await included(actor, [stage], request.query.include, urlOf(request)),
      );
    },
  );

  // The route always refuses the request, because a failed mandatory task ends its run.
  api.post(
    '/task-stages/:task_stage_id/actions/override',
    { answer: absent, schema: { params: ById, body: Override } },
    async (request) => stages.override(actorOf(request), request.params.task_stage_id),
  );

  api.get(
    '/task-results/:task_result_id',
    { answer: resourceAnswer(TaskResultResource), schema: { params: ByResult } },
    async (request) => {
      return {
        data: TaskResultResource.document(await stages.result(actorOf(request), request.params.task_result_id)),
      };
    },
  );

  api.get(
    '/task-results/:task_result_id/outcomes',
    { answer: listAnswer(TaskOutcomeResource), schema: { params: ByResult, querystring: WholeListQuery } },
    async (request) => {
      const outcomes = await stages.outcomes(actorOf(request), request.params.task_result_id);
      return { data: wholeList(request.query, outcomes).map(TaskOutcomeResource.document) };
    },
  );
}
