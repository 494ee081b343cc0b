import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { bearerToken } from '../../../lib/secret/bearer.ts';
import { Id } from '../../jsonapi/schema.ts';
import { dead, type TaskCallbacks } from './callbacks.ts';
import { resultResource } from './document.ts';
import { Callback } from './schema.ts';

const ByResult = Type.Object({ task_result_id: Id });

/** Where services say what they think of a run, in a scope without the tokens of everybody else. */
export async function taskCallbackRoutes(scope: FastifyInstance, callbacks: TaskCallbacks): Promise<void> {
  const api = scope.withTypeProvider<TypeBoxTypeProvider>();
  /** Before any body is read. @throws 401 */
  api.addHook('onRequest', async (request: FastifyRequest) => {
    const { task_result_id: id } = request.params as { readonly task_result_id: string };
    const token = bearerToken(request);
    if (token === undefined || !(await callbacks.admits(token, id))) throw dead();
    request.event.add({ actor_kind: 'run-task', actor_id: id });
  });

  api.patch(
    '/task-results/:task_result_id/callback',
    { schema: { params: ByResult, body: Callback } },
    async (request) => {
      const { task_result_id: id } = request.params;
      return { data: resultResource(await callbacks.record(id, request.body.data)) };
    },
  );
}
