import { Type } from 'typebox';
import type { Api } from '../../http/api.ts';
import { Id } from '../../jsonapi/schema.ts';
import { resourceAnswer } from '../../openapi/answer.ts';
import { actorOf } from '../../tenancy/index.ts';
import { type WorkspacePresenter, WorkspaceResource } from '../../workspace/index.ts';
import type { AutoDestroyRetries } from './retries.ts';

const OfWorkspace = Type.Object({ workspace_id: Id });

/** Route that retries a failed automatic destroy run. */
export function autoDestroyRoutes(api: Api, retries: AutoDestroyRetries, presenter: WorkspacePresenter): void {
  api.post(
    '/workspaces/:workspace_id/actions/retry-auto-destroy',
    { answer: resourceAnswer(WorkspaceResource), schema: { params: OfWorkspace } },
    async (request) => {
      const actor = actorOf(request);
      return presenter.one(actor, await retries.retry(actor, request.params.workspace_id));
    },
  );
}
