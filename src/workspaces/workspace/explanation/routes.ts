import { Type } from 'typebox';
import type { Api } from '../../http/api.ts';
import { Id } from '../../jsonapi/schema.ts';
import { resourceAnswer } from '../../openapi/answer.ts';
import { AboutWhom, actorOf, ExplanationResource, subjectOf } from '../../tenancy/index.ts';
import type { WorkspaceExplanation } from './workspace-explanation.ts';

const OfWorkspace = Type.Object({ workspace_id: Id });

/** Routes that explain a subject's permissions in a workspace. */
export function explanationRoutes(api: Api, explanations: WorkspaceExplanation): void {
  const options = {
    answer: resourceAnswer(ExplanationResource),
    schema: { params: OfWorkspace, querystring: AboutWhom },
  };
  api.get('/workspaces/:workspace_id/access-explanation', options, async (request) => {
    const { params, query } = request;
    const told = await explanations.explain(actorOf(request), params.workspace_id, subjectOf(query));
    return { data: ExplanationResource.document(told) };
  });
}
