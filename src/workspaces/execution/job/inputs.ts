import type { Database } from '../../../storage/index.ts';
import { notFound } from '../../jsonapi/errors.ts';
import type { States } from '../../state/index.ts';
import type { AgentActor, Machine, Tenancy } from '../../tenancy/index.ts';
import type { AppliedVariables, OpenVariable } from '../../variables/index.ts';
import type { WorkspaceServices } from '../../workspace/index.ts';
import type { Ingress } from '../configuration-version/configuration-version.ts';
import { ingressesOfRuns } from '../configuration-version/ingress.ts';
import { engineFor } from '../lifecycle/engine.ts';
import type { PhaseKind } from '../lifecycle/phase.ts';
import type { ApplyChecks } from '../run/apply-check/apply-checks.ts';
import type { RunPhases } from '../run/phases.ts';
import { isAssessment, type Run } from '../run/run.ts';
import type { RunStart } from '../run/start.ts';
import type { JobIdentity } from '../workload-identity/job-identity.ts';
import type { Workload } from '../workload-identity/token.ts';
import type { WorkloadIdentity } from '../workload-identity/workload-identity.ts';
import type { Job } from './job.ts';
import { claimed, type JobTokens } from './job-tokens.ts';
import type { PhaseTimeouts } from './timeouts.ts';
import { isSpeculative, variablesFor } from './trust.ts';

/** Sources of the parts of a job. */
export interface JobInputsOptions {
  readonly tokens: JobTokens;
  readonly phases: RunPhases;
  readonly projects: Tenancy['projects'];
  readonly workspaces: Pick<WorkspaceServices, 'finder' | 'releases' | 'sshKeys'>;
  readonly states: Pick<States, 'versions'>;
  readonly start: RunStart;
  readonly applied: AppliedVariables;
  readonly timeouts: PhaseTimeouts;
  readonly identity: WorkloadIdentity;
  readonly database: Database;
  readonly checks: ApplyChecks;
  /** Public URL of this server. */
  readonly address: string | undefined;
}

/** Collects the inputs of a plan or an apply. */
export class JobInputs {
  readonly #options: JobInputsOptions;

  constructor(options: JobInputsOptions) {
    this.#options = options;
  }

  /**
   * Returns the job for the current phase of a run that this agent has claimed.
   * @throws 404 when the run is at no phase, or its workspace was deleted
   */
  async jobFor(agent: AgentActor, run: Run): Promise<Job> {
    const { applied, checks, database, phases, projects } = this.#options;
    const { start, states, timeouts, tokens, workspaces } = this.#options;
    const phase = phaseOf(run);
    const both = (await phases.ofRuns([run.id])).get(run.id) ?? [];
    const [id, planId] = [phase, 'plan'].map((wanted) => both.find(({ kind }) => kind === wanted)?.id);
    if (phase === undefined || id === undefined || planId === undefined) throw notFound();
    if (run.status === 'plan_queued') await database.transaction((tx) => checks.noteHandedOut(tx, run));
    const workspace = await workspaces.finder.find(
      { ...agent, ...claimed(id, { ...run, kind: phase }) },
      { id: run.workspaceId },
      'can-read-run',
    );
    const { settings, sshKeyId } = workspace;
    // An apply uses the workspace name and working directory of its plan, because the plan contains them and both may
    // have changed.
    const planned = phase === 'apply' ? await checks.planned(database, run.id) : undefined;
    const state = await states.versions.currentOf(workspace);
    const project = { id: workspace.projectId, name: await projects.nameOf(workspace.projectId) };
    const opened = await applied.open(run.workspaceId, givenTo(run, start));
    const variables = opened && variablesFor(run, opened);
    const commit = (await ingressesOfRuns(database, [run.id])).get(run.id);
    const timeout = Math.ceil(timeouts[phase] / 1000);
    const { organizationId, organizationName } = workspace;
    const organization = { id: organizationId, name: organizationName };
    const speculative = isSpeculative(run);
    const workload = {
      organization,
      project,
      workspace,
      runId: run.id,
      phase,
      speculative,
      agent: certificateOf(agent),
    };
    return {
      ...{ id, phase, runId: run.id, planId, token: tokens.issue('job', id, run.fence) },
      // The engine executes a stranger's code, which must not read the states of the workspace.
      engineToken: run.untrusted ? null : tokens.issue('job-reader', id, run.fence),
      serverAddress: this.#options.address ?? null,
      organization: workspace.organizationName,
      project: project.name,
      workspace: {
        id: workspace.id,
        name: planned?.workspaceName ?? workspace.name,
        workingDirectory: planned?.workingDirectory ?? settings['working-directory'] ?? '',
      },
      engine: engineFor(run, phase),
      log: isStructured(run, settings['structured-run-output-enabled']) ? 'structured' : 'plain',
      parameters: parametersOf(run),
      variables: variables ?? [],
      identity: await this.#identity(run, workload, variables, timeout),
      sshKey: sshKeyId === null || run.untrusted ? null : ((await workspaces.sshKeys.value(sshKeyId)) ?? null),
      keepFolder: phase === 'plan' && !run.parameters['plan-only'],
      commit: commit === undefined ? null : commitOf(commit),
      configurationVersionId: run.configurationVersionId,
      stateVersionId: state?.id ?? null,
      timeout,
    };
  }

  /** Returns the workload identity. A stranger's configuration gets none. */
  async #identity(
    { untrusted }: Run,
    workload: Workload,
    variables: readonly OpenVariable[] | null,
    timeout: number,
  ): Promise<JobIdentity | null> {
    if (variables === null) return without(TOO_MANY);
    return untrusted ? null : this.#options.identity.forJob(workload, variables, timeout);
  }
}

/** Returns the commit as the environment of the engine names it. */
const commitOf = ({ branch, commitSha, tag }: Ingress) => ({ branch: branch ?? '', sha: commitSha, tag: tag ?? '' });

const TOO_MANY =
  'The variables of the workspace and its variable sets are too large for a run. ' +
  'Apply fewer variable sets to the workspace, or shorten the values';

/** Fails the job before its engine starts. */
const without = (problem: string): JobIdentity => ({ problem, environment: {}, files: [], logins: [], secrets: [] });

/** Returns the certificate of an agent; null for an agent that does not authenticate with a certificate. */
function certificateOf({ holder }: AgentActor): Machine | null {
  return 'machine' in holder ? holder.machine : null;
}

/** Returns the phase that the run waits for or executes. */
function phaseOf({ status }: Pick<Run, 'status'>): PhaseKind | undefined {
  if (status === 'plan_queued' || status === 'planning') return 'plan';
  return status === 'apply_queued' || status === 'applying' ? 'apply' : undefined;
}

/** The server reads the log of an assessment as JSON, whatever format users choose for runs. */
function isStructured(run: Run, isWanted: boolean): boolean {
  return isAssessment(run) || (isWanted && !run.plainLog);
}

function parametersOf({ parameters }: Run): Job['parameters'] {
  return {
    destroy: parameters['is-destroy'],
    refresh: parameters.refresh,
    refreshOnly: parameters['refresh-only'],
    targets: parameters['target-addrs'] ?? [],
    replaces: parameters['replace-addrs'] ?? [],
    invokes: parameters['invoke-action-addrs'] ?? [],
    generateConfiguration: parameters['allow-config-generation'],
  };
}

/** Returns the variables that were set for this run only. */
function givenTo(run: Run, start: RunStart): OpenVariable[] {
  return (start.variables(run) ?? []).map(({ key, value }, index) => ({
    ...({ id: `${run.id}-${index}`, owner: { type: 'workspaces', id: run.workspaceId }, key, value } as const),
    ...({ category: 'terraform', hcl: true, sensitive: false, applyOnly: false } as const),
  }));
}
