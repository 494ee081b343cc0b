import { Type } from 'typebox';
import type { Api } from '../../http/api.ts';
import { Id } from '../../jsonapi/schema.ts';
import { actorOf } from '../../tenancy/index.ts';
import type { WorkspacePresenter } from '../../workspace/index.ts';
import type { Assessments } from './assessments.ts';
import { assessmentResource } from './document.ts';

const OfWorkspace = Type.Object({ workspace_id: Id });
const One = Type.Object({ assessment_result_id: Id });

/** Routes of assessment results, and the route that starts an assessment. */
export function assessmentRoutes(api: Api, assessments: Assessments, presenter: WorkspacePresenter): void {
  api.get('/assessment-results/:assessment_result_id', { schema: { params: One } }, async (request) => ({
    data: assessmentResource(await assessments.find(actorOf(request), request.params.assessment_result_id)),
  }));

  const ofWorkspace = { schema: { params: OfWorkspace } };
  api.get('/workspaces/:workspace_id/current-assessment-result', ofWorkspace, async (request) => ({
    data: assessmentResource(await assessments.current(actorOf(request), request.params.workspace_id)),
  }));

  api.post('/workspaces/:workspace_id/actions/assess', ofWorkspace, async (request) => {
    const actor = actorOf(request);
    return presenter.one(actor, await assessments.assess(actor, request.params.workspace_id));
  });
}
