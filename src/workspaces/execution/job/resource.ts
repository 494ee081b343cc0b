import { Type } from 'typebox';
import { nullable } from '../../jsonapi/schema.ts';
import { type AnyResource, attribute, is, resourceOf } from '../../resource/index.ts';
import { ENGINES } from '../../tenancy/index.ts';
import type { Job, JobStatus } from './job.ts';

/** Seconds between two uploads of log output. A shorter interval shows output sooner but costs more requests. */
const LOG_INTERVAL = 1;

const shownEngine = Type.Object({
  ...{ kind: Type.Enum([...ENGINES]), version: is.textOrNull, newest: is.text },
  // Version constraint. Present only for a plan whose workspace has one.
  constraint: Type.Optional(is.text),
});
const shownParameters = Type.Object({
  destroy: is.flag,
  refresh: is.flag,
  'refresh-only': is.flag,
  targets: is.texts,
  replaces: is.texts,
  // Actions that the plan invokes. Present only if there are any.
  invokes: Type.Optional(is.texts),
  'generate-configuration': is.flag,
  debugging: is.flag,
});
const shownVariable = Type.Object({
  key: is.text,
  value: is.text,
  category: Type.Enum(['terraform', 'env']),
  hcl: is.flag,
  sensitive: is.flag,
});
/** Schema of workload-identity/job-identity.ts. */
const shownIdentity = Type.Object({
  problem: is.textOrNull,
  environment: Type.Record(Type.String(), Type.String()),
  files: Type.Array(Type.Object({ name: is.text, content: is.text })),
  logins: Type.Array(
    Type.Object({
      ...{ address: is.text, namespace: is.text, path: is.text, role: is.text, token: is.text },
      ...{ authorities: is.textOrNull, file: is.textOrNull, variable: is.textOrNull },
    }),
  ),
  secrets: is.texts,
});

/**
 * A job for its agent. All URLs point to this server. The context is the `traceparent` that the agent sends with its
 * requests, if the run is traced.
 */
export const JobResource = resourceOf<Job, [traceparent?: string]>()('jobs', {
  attributes: {
    phase: attribute(Type.Enum(['plan', 'plan-with-actions', 'apply']), phaseMember),
    'run-id': attribute(is.text, 'runId'),
    token: attribute(is.text, 'token'),
    // Null for a run of a stranger's configuration, which reads no states.
    'run-token': attribute(is.textOrNull, 'engineToken'),
    'server-address': attribute(is.textOrNull, 'serverAddress'),
    organization: attribute(is.text, 'organization'),
    project: attribute(is.text, 'project'),
    workspace: attribute(
      Type.Object({ id: is.text, name: is.text, 'working-directory': is.text }),
      ({ workspace: { id, name, workingDirectory } }) => ({ id, name, 'working-directory': workingDirectory }),
    ),
    commit: attribute(nullable(Type.Object({ branch: is.text, sha: is.text, tag: is.text })), 'commit'),
    engine: attribute(shownEngine, engineMember),
    log: attribute(Type.Enum(['structured', 'plain']), 'log'),
    parameters: attribute(shownParameters, parametersMember),
    variables: attribute(Type.Array(shownVariable), ({ variables }) =>
      variables.map(({ key, value, category, hcl, sensitive }) => ({ key, value, category, hcl, sensitive })),
    ),
    'ssh-key': attribute(is.textOrNull, 'sshKey'),
    identity: attribute(nullable(shownIdentity), 'identity'),
    'keep-folder': attribute(is.flag, 'keepFolder'),
    timeout: attribute(is.integer, 'timeout'),
    // Trace context of the run that the job belongs to.
    traceparent: attribute(Type.Optional(is.text), (_job, traceparent) => traceparent),
  },
  links: linksOf,
});

/** The status of a job, with its id. */
const status = resourceOf<JobStatus & { readonly id: string }>()('jobs', {
  attributes: {
    'log-bytes': attribute(is.integer, 'logBytes'),
    // Whether the job should end.
    cancel: attribute(Type.Enum(['none', 'interrupt', 'kill']), 'cancel'),
    // Seconds between two parts of the log.
    interval: attribute(is.integer, () => LOG_INTERVAL),
  },
});

/** Documents of a job's status have the type of the job. OpenAPI needs another name, because a type has one schema. */
export const JobStatusResource: Pick<typeof status, 'document'> & AnyResource = { ...status, type: 'job-standings' };

/**
 * A plan that invokes actions has a phase of its own. An agent that does not know `invokes` would plan something else
 * than the user requested; it does not know this phase either, so it refuses the job.
 */
function phaseMember({ phase, parameters }: Job) {
  return phase === 'plan' && parameters.invokes.length > 0 ? 'plan-with-actions' : phase;
}

function engineMember({ engine: { kind, version, newest, constraint } }: Job) {
  return { kind, version, newest, ...(constraint !== null && { constraint }) };
}

function parametersMember({ parameters }: Job) {
  return {
    destroy: parameters.destroy,
    refresh: parameters.refresh,
    'refresh-only': parameters.refreshOnly,
    targets: parameters.targets,
    replaces: parameters.replaces,
    ...(parameters.invokes.length > 0 && { invokes: parameters.invokes }),
    'generate-configuration': parameters.generateConfiguration,
    debugging: false,
  };
}

function linksOf(job: Job): Record<string, string> {
  const { id, phase, stateVersionId } = job;
  const [self, plan] = [`/api/v2/jobs/${id}`, `/api/v2/plans/${job.planId}`];
  const common = {
    self,
    start: `${self}/actions/start`,
    heartbeat: `${self}/actions/heartbeat`,
    finish: `${self}/actions/finish`,
    log: `${self}/log`,
    folder: `${plan}/folder`,
    ...(stateVersionId !== null && { state: `/api/v2/state-versions/${stateVersionId}/download` }),
    'state-versions': `/api/v2/workspaces/${job.workspace.id}/state-versions`,
  };
  if (phase === 'apply') return { ...common, 'errored-state': `/api/v2/applies/${id}/errored-state` };
  return {
    ...common,
    configuration: `/api/v2/configuration-versions/${job.configurationVersionId}/download`,
    'json-output': `${plan}/json-output`,
    'json-output-redacted': `${plan}/json-output-redacted`,
    'provider-schemas': `${plan}/provider-schemas`,
  };
}
