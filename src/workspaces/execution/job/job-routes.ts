import { Type } from 'typebox';
import { type Api, urlOf } from '../../http/api.ts';
import { Id } from '../../jsonapi/schema.ts';
import { actorOf } from '../../tenancy/index.ts';
import { runVariableResource } from '../run/document.ts';
import type { RunPresenter } from '../run/presenter.ts';
import type { RunClaims } from './claims.ts';
import type { RunVariables } from './run-variables.ts';

const ByAgent = Type.Object({ agent_id: Id });
const OfRun = Type.Object({ run_id: Id });

/** The services behind the routes. */
export interface JobRoutesOptions {
  readonly runClaims: RunClaims;
  readonly runVariables: RunVariables;
  readonly runPresenter: RunPresenter;
}

/** What agents work with, and nobody else (our extension): the next run, and the values it is carried out with. */
export function jobRoutes(api: Api, { runClaims, runVariables, runPresenter }: JobRoutesOptions): void {
  api.post('/agents/:agent_id/actions/claim', { schema: { params: ByAgent } }, async (request, reply) => {
    const actor = actorOf(request);
    const run = await runClaims.next(actor, request.params.agent_id);
    if (run === undefined) {
      reply.code(204);
      return undefined;
    }
    const { data } = await runPresenter.present(actor, [run], new Set(), urlOf(request).origin);
    return { data: data[0] };
  });

  api.get('/runs/:run_id/variables', { schema: { params: OfRun } }, async (request, reply) => {
    const variables = await runVariables.of(actorOf(request), request.params.run_id);
    reply.header('cache-control', 'no-store');
    return { data: variables.map(runVariableResource) };
  });
}
