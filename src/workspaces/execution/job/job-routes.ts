import { type Static, Type } from 'typebox';
import { MOST_TIMED_STEPS } from '../../../lib/job/limits.ts';
import type { Api } from '../../http/api.ts';
import { gone } from '../../http/gone.ts';
import { Id, nullable, resourceBody, text } from '../../jsonapi/schema.ts';
import { done, orNothing, resourceAnswer } from '../../openapi/answer.ts';
import { actorOf, ENGINES } from '../../tenancy/index.ts';
import type { Findings } from '../lifecycle/assessment.ts';
import { isChange } from '../lifecycle/phase.ts';
import type { Packages } from '../package/packages.ts';
import type { RunClaims } from './claims.ts';
import type { Job } from './job.ts';
import type { JobTraces } from './job-traces.ts';
import type { Jobs } from './jobs.ts';
import { JobResource, JobStatusResource } from './resource.ts';

const ByAgent = Type.Object({ agent_id: Id });
const OneJob = Type.Object({ job_id: Id });
/** Long-poll timeout in seconds, at most 60. */
const Waiting = Type.Object({ wait: Type.Optional(Type.String({ pattern: '^([0-9]|[1-5][0-9]|60)$' })) });

const Milliseconds = Type.Integer({ minimum: 0, maximum: 1_000_000_000 });
const Step = Type.Object({
  name: Type.String({ pattern: '^[a-z][a-z -]{0,39}$' }),
  start: Milliseconds,
  end: Milliseconds,
  ok: Type.Boolean(),
});

/** @limit providers and modules in the report of a plan, each -> 422 */
const MAX_PACKAGES = 100;
/** No control characters. */
const PRINTABLE = '^[^\\u0000-\\u001f\\u007f]*$';
const Version = Type.String({ minLength: 1, maxLength: 64, pattern: PRINTABLE });
const Name = Type.String({ minLength: 1, maxLength: 256, pattern: PRINTABLE });
const Provider = Type.Object({ source: Name, version: Version });
const Module = Type.Object({ key: Name, source: Name, version: nullable(Version) });

const count = Type.Optional(Type.Integer({ minimum: 0, maximum: 1_000_000_000 }));
const Finish = resourceBody(
  'jobs',
  Type.Object({
    outcome: Type.Enum(['finished', 'canceled', 'failed']),
    exit: Type.Optional(Type.Integer({ minimum: 0, maximum: 255 })),
    'has-changes': Type.Optional(nullable(Type.Boolean())),
    engine: Type.Optional(
      Type.Object({ kind: Type.Enum([...ENGINES]), version: Type.String({ pattern: '^\\d[0-9A-Za-z.+-]{0,58}$' }) }),
    ),
    'resource-additions': count,
    'resource-changes': count,
    'resource-destructions': count,
    'resource-imports': count,
    // Findings of a health assessment (a refresh-only plan).
    'resources-drifted': count,
    'resources-undrifted': count,
    'checks-passed': count,
    'checks-failed': count,
    'checks-errored': count,
    'checks-unknown': count,
    // Versions that `init` selected; for the explorer.
    providers: Type.Optional(Type.Array(Provider, { maxItems: MAX_PACKAGES })),
    modules: Type.Optional(Type.Array(Module, { maxItems: MAX_PACKAGES })),
    reason: Type.Optional(nullable(text(2000))),
    // Timing of the job, if its document had a `traceparent`.
    took: Type.Optional(Milliseconds),
    steps: Type.Optional(Type.Array(Step, { maxItems: MOST_TIMED_STEPS })),
  }),
  {},
);

export interface JobRoutesOptions {
  readonly runClaims: RunClaims;
  readonly jobs: Jobs;
  readonly jobTraces: JobTraces;
}

/** Routes for agents to claim and report jobs, which are plans and applies (our extension). */
export function jobRoutes(api: Api, { runClaims, jobs, jobTraces }: JobRoutesOptions): void {
  const resource = (job: Job) => JobResource.document(job, jobTraces.parentOf(job.runId, job.id));
  const claim = {
    answer: orNothing(resourceAnswer(JobResource)),
    schema: { params: ByAgent, querystring: Waiting },
  };
  api.post('/agents/:agent_id/actions/claim', claim, async (request, reply) => {
    const timeout = { milliseconds: Number(request.query.wait ?? 0) * 1000, signal: gone(reply) };
    const patience = { ...timeout, remoteAddress: request.peer.address };
    const job = await runClaims.next(actorOf(request), request.params.agent_id, patience);
    reply.header('cache-control', 'no-store');
    if (job !== undefined) return { data: resource(job) };
    reply.code(204);
    return undefined;
  });

  const one = { schema: { params: OneJob } };
  api.get('/jobs/:job_id', { answer: resourceAnswer(JobResource), ...one }, async (request, reply) => {
    const job = await jobs.show(actorOf(request), request.params.job_id);
    reply.header('cache-control', 'no-store');
    return { data: resource(job) };
  });

  api.post('/jobs/:job_id/actions/start', { answer: done, ...one }, async (request, reply) => {
    await jobs.start(actorOf(request), request.params.job_id);
    reply.code(204);
  });

  api.post(
    '/jobs/:job_id/actions/heartbeat',
    { answer: resourceAnswer(JobStatusResource), ...one },
    async (request) => {
      const { job_id: id } = request.params;
      return { data: JobStatusResource.document({ ...(await jobs.heartbeat(actorOf(request), id)), id }) };
    },
  );

  api.post(
    '/jobs/:job_id/actions/finish',
    { answer: done, schema: { params: OneJob, body: Finish } },
    async (request, reply) => {
      const { attributes } = request.body.data;
      const { outcome, exit = 0, reason, engine } = attributes;
      const counts = countsOf({
        additions: attributes['resource-additions'],
        changes: attributes['resource-changes'],
        destructions: attributes['resource-destructions'],
        imports: attributes['resource-imports'],
      });
      const hasChanges = attributes['has-changes'] ?? (counts !== undefined && isChange(counts));
      const findings = findingsOf(attributes);
      const packages = packagesOf(attributes);
      const ending = { outcome, exit, hasChanges, counts, engine, findings, packages, reason: reason ?? '' };
      const { job_id: id } = request.params;
      const { id: runId } = await jobs.finish(actorOf(request), id, ending);
      const { took, steps = [] } = attributes;
      if (took !== undefined) {
        jobTraces.ended({ id, runId, took, steps, isError: outcome !== 'finished' || exit !== 0 });
      }
      reply.code(204);
    },
  );
}

interface Counted {
  readonly additions: number | undefined;
  readonly changes: number | undefined;
  readonly destructions: number | undefined;
  readonly imports: number | undefined;
}

/** Returns the resource counts of a report; undefined if it has none. */
function countsOf({ additions, changes, destructions, imports }: Counted) {
  if ([additions, changes, destructions, imports].every((number) => number === undefined)) return undefined;
  return { additions: additions ?? 0, changes: changes ?? 0, destructions: destructions ?? 0, imports: imports ?? 0 };
}

/** Returns the findings of a report; undefined if the job did not look for drift. */
function findingsOf(told: Static<typeof Finish>['data']['attributes']): Findings | undefined {
  const { 'resources-drifted': resourcesDrifted } = told;
  if (resourcesDrifted === undefined) return undefined;
  return {
    resourcesDrifted,
    resourcesUndrifted: told['resources-undrifted'] ?? 0,
    checksPassed: told['checks-passed'] ?? 0,
    checksFailed: told['checks-failed'] ?? 0,
    checksErrored: told['checks-errored'] ?? 0,
    checksUnknown: told['checks-unknown'] ?? 0,
  };
}

/** Returns the packages of a report; undefined if the agent does not report any. */
function packagesOf({ providers, modules }: Static<typeof Finish>['data']['attributes']): Packages | undefined {
  return providers === undefined ? undefined : { providers, modules: modules ?? [] };
}
