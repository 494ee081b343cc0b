import { conflict, notFound } from '../../jsonapi/errors.ts';
import type { JobPhase, JobRef, JobStage } from '../../tenancy/index.ts';

type Rights = Partial<Readonly<Record<JobPhase, readonly JobStage[]>>>;

const both = (...stages: readonly JobStage[]): Rights => ({ plan: stages, apply: stages });
const plan = (...stages: readonly JobStage[]): Rights => ({ plan: stages });
const apply = (...stages: readonly JobStage[]): Rights => ({ apply: stages });

/**
 * All requests that a job token may make, by phase and stage: the links of the job, and the signed URL for the upload
 * of its state. Each service still checks that the resource in the path belongs to the job.
 */
const JOB_RIGHTS: Readonly<Record<string, Rights>> = {
  'GET /jobs/:job_id': both('taken', 'started'),
  'POST /jobs/:job_id/actions/start': both('taken', 'started'),
  'POST /jobs/:job_id/actions/heartbeat': both('taken', 'started', 'over'),
  'PATCH /jobs/:job_id/log': both('started', 'over'),
  // An agent that cannot execute a job declines it before it starts it.
  'POST /jobs/:job_id/actions/finish': both('taken', 'started'),
  'GET /configuration-versions/:id/download': plan('started'),
  'GET /state-versions/:state_version_id/download': both('started'),
  'PUT /plans/:id/folder': plan('started'),
  'GET /plans/:id/folder': apply('started'),
  'PUT /plans/:id/json-output': plan('started'),
  'PUT /plans/:id/json-output-redacted': plan('started'),
  'PUT /plans/:id/provider-schemas': plan('started'),
  'POST /workspaces/:workspace_id/state-versions': apply('started'),
  'PUT /state-versions/:state_version_id/upload': apply('started'),
  'PUT /applies/:id/errored-state': apply('started', 'over'),
};

const REFUSED: Readonly<Record<JobStage, string>> = {
  taken: 'The job is not started: POST to its link "start" first',
  started: 'The job is started already. Send this request before its start',
  over: 'The job is over: the server ended its run. Stop working on it',
};

/**
 * Checks that a job may make a request at its stage.
 * @param route `GET /jobs/:job_id`
 * @throws 404 for a route that such a job does not need, 409 for a route that it needs at another stage
 */
export function requireJobRoute({ phase, stage }: JobRef, route: string): void {
  const stages = JOB_RIGHTS[route]?.[phase];
  if (stages === undefined) throw notFound();
  if (!stages.includes(stage)) throw conflict(REFUSED[stage]);
}
