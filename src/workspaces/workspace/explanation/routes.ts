import { Type } from 'typebox';
import type { Api } from '../../http/api.ts';
import { Id } from '../../jsonapi/schema.ts';
import { AboutWhom, actorOf, ExplanationResource, subjectOf } from '../../tenancy/index.ts';
import type { WorkspaceExplanation } from './workspace-explanation.ts';

const OfWorkspace = Type.Object({ workspace_id: Id });

/** Routes that explain a subject's permissions in a workspace. */
export function explanationRoutes(api: Api, explanations: WorkspaceExplanation): void {
  const schema = { params: OfWorkspace, querystring: AboutWhom };
  api.get('/workspaces/:workspace_id/access-explanation', { schema }, async (request) => {
    const { params, query } = request;
    const told = await explanations.explain(actorOf(request), params.workspace_id, subjectOf(query));
    return { data: ExplanationResource.document(told) };
  });
}
