import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { bearerToken } from '../../../lib/secret/bearer.ts';
import { apiOf } from '../../http/api.ts';
import { Id } from '../../jsonapi/schema.ts';
import { resourceAnswer } from '../../openapi/answer.ts';
import { dead, type TaskCallbacks } from './callbacks.ts';
import { TaskResultResource } from './resource.ts';
import { Callback } from './schema.ts';

const ByResult = Type.Object({ task_result_id: Id });

/** Routes on which run task services report results, in a scope with its own tokens. */
export async function taskCallbackRoutes(scope: FastifyInstance, callbacks: TaskCallbacks): Promise<void> {
  const api = apiOf(scope);
  /** Authenticates before the body is read. @throws 401 */
  scope.addHook('onRequest', async (request: FastifyRequest) => {
    const { task_result_id: id } = request.params as { readonly task_result_id: string };
    const token = bearerToken(request);
    if (token === undefined || !(await callbacks.admits(token, id))) throw dead();
    request.event.add({ actor_kind: 'run-task', actor_id: id });
  });

  api.patch(
    '/task-results/:task_result_id/callback',
    { answer: resourceAnswer(TaskResultResource), schema: { params: ByResult, body: Callback } },
    async (request) => {
      const { task_result_id: id } = request.params;
      return { data: TaskResultResource.document(await callbacks.record(id, request.body.data)) };
    },
  );
}
