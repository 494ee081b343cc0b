import { Type } from 'typebox';
import type { Api } from '../../http/api.ts';
import { Id } from '../../jsonapi/schema.ts';
import { resourceAnswer } from '../../openapi/answer.ts';
import { actorOf } from '../../tenancy/index.ts';
import { type WorkspacePresenter, WorkspaceResource } from '../../workspace/index.ts';
import type { Assessments } from './assessments.ts';
import { AssessmentResource } from './resource.ts';

const OfWorkspace = Type.Object({ workspace_id: Id });
const One = Type.Object({ assessment_result_id: Id });

/** Routes of assessment results, and the route that starts an assessment. */
export function assessmentRoutes(api: Api, assessments: Assessments, presenter: WorkspacePresenter): void {
  api.get(
    '/assessment-results/:assessment_result_id',
    { answer: resourceAnswer(AssessmentResource), schema: { params: One } },
    async (request) => ({
      data: AssessmentResource.document(await assessments.find(actorOf(request), request.params.assessment_result_id)),
    }),
  );

  const ofWorkspace = { schema: { params: OfWorkspace } };
  api.get(
    '/workspaces/:workspace_id/current-assessment-result',
    { answer: resourceAnswer(AssessmentResource), ...ofWorkspace },
    async (request) => ({
      data: AssessmentResource.document(await assessments.current(actorOf(request), request.params.workspace_id)),
    }),
  );

  api.post(
    '/workspaces/:workspace_id/actions/assess',
    { answer: resourceAnswer(WorkspaceResource), ...ofWorkspace },
    async (request) => {
      const actor = actorOf(request);
      return presenter.one(actor, await assessments.assess(actor, request.params.workspace_id));
    },
  );
}
