import { Type } from 'typebox';
import { type Api, urlOf } from '../../http/api.ts';
import { ANY_TYPE, Id } from '../../jsonapi/schema.ts';
import { done, resourceAnswer } from '../../openapi/answer.ts';
import { actorOf } from '../../tenancy/index.ts';
import type { PhaseKind } from '../lifecycle/phase.ts';
import type { RunPhases } from './phases.ts';
import type { RunPresenter } from './presenter.ts';
import { PHASE_RESOURCES } from './resource.ts';
import type { Runs } from './runs.ts';

/**
 * Content of one request that appends to a log, in base64.
 * @limit one addition to a log in base64, bytes -> 422
 */
const MAX_APPENDED = 262_144;

const ById = Type.Object({ id: Id });
const Append = Type.Object({
  data: Type.Object({
    type: ANY_TYPE,
    attributes: Type.Object({
      offset: Type.Integer({ minimum: 0 }),
      content: Type.String({ maxLength: MAX_APPENDED, contentEncoding: 'base64', pattern: '^[A-Za-z0-9+/]*={0,2}$' }),
    }),
  }),
});

export interface PhaseRoutesOptions {
  readonly runs: Runs;
  readonly runPhases: RunPhases;
  readonly runPresenter: RunPresenter;
}

/** Routes of plans and applies. The route that appends to a log is our extension. */
export function phaseRoutes(api: Api, { runs, runPhases, runPresenter }: PhaseRoutesOptions): void {
  const kinds: readonly (readonly [string, PhaseKind])[] = [
    ['plans', 'plan'],
    ['applies', 'apply'],
  ];
  // Sanitized plans exist for policies only, which this server does not have. Clients read 204 as "not ready".
  api.get('/plans/:id/sanitized-plan', { answer: done, schema: { params: ById } }, async (request, reply) => {
    await runPhases.find(actorOf(request), 'plan', request.params.id);
    reply.code(204);
  });

  for (const [path, kind] of kinds) {
    const answer = resourceAnswer(PHASE_RESOURCES[kind]);
    api.get(`/${path}/:id`, { answer, schema: { params: ById } }, async (request) => {
      const actor = actorOf(request);
      const phase = await runPhases.find(actor, kind, request.params.id);
      const run = await runs.show(actor, phase.runId);
      return { data: await runPresenter.phase(actor, phase, run, urlOf(request).origin) };
    });

    api.post(
      `/${path}/:id/actions/append-log`,
      { answer, schema: { params: ById, body: Append }, bodyLimit: 2 * MAX_APPENDED },
      async (request) => {
        const actor = actorOf(request);
        const { offset, content } = request.body.data.attributes;
        const bytes = Buffer.from(content, 'base64');
        const phase = await runPhases.append(actor, kind, request.params.id, offset, bytes);
        const run = await runs.show(actor, phase.runId);
        return { data: await runPresenter.phase(actor, phase, run, urlOf(request).origin) };
      },
    );
  }
}
