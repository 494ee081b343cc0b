import type { FastifyReply } from 'fastify';
import { Type } from 'typebox';
import { type Api, urlOf } from '../../http/api.ts';
import { Id } from '../../jsonapi/schema.ts';
import { actorOf } from '../../tenancy/index.ts';
import { runVariableResource } from '../run/document.ts';
import type { RunPresenter } from '../run/presenter.ts';
import type { RunClaims } from './claims.ts';
import type { RunVariables } from './run-variables.ts';

const ByAgent = Type.Object({ agent_id: Id });
/** Seconds, at most 60. */
const Waiting = Type.Object({ wait: Type.Optional(Type.String({ pattern: '^([0-9]|[1-5][0-9]|60)$' })) });
const OfRun = Type.Object({ run_id: Id });

/** The services behind the routes. */
export interface JobRoutesOptions {
  readonly runClaims: RunClaims;
  readonly runVariables: RunVariables;
  readonly runPresenter: RunPresenter;
}

/** What agents work with, and nobody else (our extension): the next run, and the values it is carried out with. */
export function jobRoutes(api: Api, { runClaims, runVariables, runPresenter }: JobRoutesOptions): void {
  const claim = { params: ByAgent, querystring: Waiting };
  api.post('/agents/:agent_id/actions/claim', { schema: claim }, async (request, reply) => {
    const actor = actorOf(request);
    const patience = { milliseconds: Number(request.query.wait ?? 0) * 1000, signal: gone(reply) };
    const run = await runClaims.next(actor, request.params.agent_id, patience);
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

/** Aborted when there is nobody any more to be answered. */
function gone({ raw }: Pick<FastifyReply, 'raw'>): AbortSignal {
  const ending = new AbortController();
  raw.once('close', () => ending.abort());
  return ending.signal;
}
