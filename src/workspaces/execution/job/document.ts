import type { Resource } from '../../jsonapi/document.ts';
import type { Job, JobStatus } from './job.ts';

/** Seconds between two uploads of log output. A shorter interval shows output sooner but costs more requests. */
const LOG_INTERVAL = 1;

/**
 * Returns the resource of a job for its agent. All URLs point to this server.
 * @param traceparent value that the agent sends with its requests, if the run is traced
 */
export function jobResource(job: Job, traceparent?: string): Resource {
  const { id, runId, workspace, parameters } = job;
  return {
    id,
    type: 'jobs',
    attributes: {
      phase: phaseMember(job),
      'run-id': runId,
      token: job.token,
      'run-token': job.engineToken,
      'server-address': job.serverAddress,
      organization: job.organization,
      project: job.project,
      workspace: { id: workspace.id, name: workspace.name, 'working-directory': workspace.workingDirectory },
      commit: job.commit,
      engine: engineMember(job),
      log: job.log,
      parameters: {
        destroy: parameters.destroy,
        refresh: parameters.refresh,
        'refresh-only': parameters.refreshOnly,
        targets: parameters.targets,
        replaces: parameters.replaces,
        ...(parameters.invokes.length > 0 && { invokes: parameters.invokes }),
        'generate-configuration': parameters.generateConfiguration,
        debugging: false,
      },
      variables: job.variables.map(({ key, value, category, hcl, sensitive }) => {
        return { key, value, category, hcl, sensitive };
      }),
      'ssh-key': job.sshKey,
      identity: job.identity,
      'keep-folder': job.keepFolder,
      timeout: job.timeout,
      ...(traceparent !== undefined && { traceparent }),
    },
    links: linksOf(job),
  };
}

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

/** Returns the status of a job. */
export function jobStatusResource(id: string, { logBytes, cancel }: JobStatus): Resource {
  return { id, type: 'jobs', attributes: { 'log-bytes': logBytes, cancel, interval: LOG_INTERVAL } };
}
