import type { BackgroundWork } from '../../lib/background-work.ts';
import type { Clock } from '../../lib/clock.ts';
import { Blobs, BlobWriter } from '../../storage/index.ts';
import type { Platform } from '../platform/platform.ts';
import { Trials } from '../platform/trials.ts';
import type { States } from '../state/index.ts';
import type { Tenancy } from '../tenancy/index.ts';
import type { VariableServices } from '../variables/index.ts';
import type { WorkspaceServices } from '../workspace/index.ts';
import { type AgentServices, createAgents } from './agent-pool/create-agents.ts';
import { agentsLetIn } from './agents-let-in.ts';
import type { Assessments } from './assessment/assessments.ts';
import { createAssessments } from './assessment/create-assessments.ts';
import { ChangeStreams } from './change/streams.ts';
import { ConfigurationVersions } from './configuration-version/configuration-versions.ts';
import { ConfigurationUploads } from './configuration-version/uploads.ts';
import { UsableConfigurations } from './configuration-version/usable.ts';
import { type ExecutionKind, ExecutionRollout } from './execution-rollout.ts';
import { ClaimWaits } from './job/claim-waits.ts';
import { RunClaims } from './job/claims.ts';
import { JobInputs } from './job/inputs.ts';
import { InterruptedRuns } from './job/interrupted.ts';
import { JobTokens } from './job/job-tokens.ts';
import { type JobTraces, untraced } from './job/job-traces.ts';
import { Jobs } from './job/jobs.ts';
import { NoAgentNotice } from './job/no-agent-notice.ts';
import { QueueReconciler } from './job/queue-reconciler.ts';
import { RunReconciler } from './job/run-reconciler.ts';
import { SavedPlans } from './job/saved-plans.ts';
import { DEFAULT_TIMEOUTS, type PhaseTimeouts, Timeouts } from './job/timeouts.ts';
import { ExecutionGauges } from './metrics/execution-gauges.ts';
import { RunObservers } from './metrics/run-observer.ts';
import {
  createNotifications,
  type NotificationOptions,
  type NotificationServices,
} from './notification/create-notifications.ts';
import { RunOutputs } from './output/run-outputs.ts';
import { retainedConfigurations, retainedRuns } from './retained.ts';
import { RunActions } from './run/actions.ts';
import { ApplyChecks } from './run/apply-check/apply-checks.ts';
import { autoQueue } from './run/auto-queue.ts';
import { ExecutableWorkspaces } from './run/executable.ts';
import { RunFinder } from './run/finder.ts';
import { RunComments } from './run/history/comments.ts';
import { IncludedRuns } from './run/included-runs.ts';
import { LogWaits } from './run/log-waits.ts';
import { RunOutcomes } from './run/outcomes.ts';
import { RunPhases } from './run/phases.ts';
import { PoolQueue } from './run/pool/pool-queue.ts';
import { RunPresenter } from './run/presenter.ts';
import { RunStateMachine } from './run/run-state-machine.ts';
import { Runs } from './run/runs.ts';
import { RunStart } from './run/start.ts';
import * as store from './run/store.ts';
import { WaitReasons } from './run/waiting/wait-reasons.ts';
import { createRunTasks, type RunTaskServices } from './run-task/create-run-tasks.ts';
import { fireTriggers } from './run-trigger/fire.ts';
import { RunTriggers } from './run-trigger/run-triggers.ts';
import { createTaskStages, type TaskStageServices } from './task-stage/create-task-stages.ts';
import { shownStages } from './task-stage/document.ts';
import { SigningKeys } from './workload-identity/signing-keys.ts';
import { WorkloadIdentity } from './workload-identity/workload-identity.ts';
import { joinWorkspaces } from './workspace-hooks.ts';

/** Services for configuration versions, runs, run triggers, agents and notifications. */
export interface Execution extends AgentServices, NotificationServices, RunTaskServices, TaskStageServices {
  readonly clock: Clock;
  readonly changeStreams: ChangeStreams;
  readonly assessments: Assessments;
  readonly executionRollout: ExecutionRollout;
  readonly runs: Runs;
  readonly poolQueue: PoolQueue;
  readonly runActions: RunActions;
  readonly runClaims: RunClaims;
  readonly jobs: Jobs;
  readonly jobTraces: JobTraces;
  readonly runReconciler: RunReconciler;
  readonly interruptedRuns: InterruptedRuns;
  readonly runComments: RunComments;
  readonly runObservers: RunObservers;
  readonly runOutputs: RunOutputs;
  readonly runPhases: RunPhases;
  readonly runPresenter: RunPresenter;
  readonly includedRuns: IncludedRuns;
  readonly runStateMachine: RunStateMachine;
  readonly runTriggers: RunTriggers;
  readonly workloadIdentity: WorkloadIdentity;
  readonly configurationVersions: ConfigurationVersions;
  readonly configurationUploads: ConfigurationUploads;
  readonly gauges: ExecutionGauges;
  readonly background: readonly BackgroundWork[];
}

/** Settings of the operator for runs. */
export interface ExecutionOptions {
  readonly notifications?: NotificationOptions;
  readonly timeouts?: PhaseTimeouts;
  /** Which agents execute runs. If absent, no agents do. */
  readonly execution?: ExecutionKind;
  /** Public URL of this API, such as `https://lockkeeper.example.com`. Without it, runs have no workload identity. */
  readonly address?: string | undefined;
}

/** Modules on which this one depends. */
export interface BelowExecution {
  readonly tenancy: Tenancy;
  readonly workspace: WorkspaceServices;
  readonly states: States;
  readonly variables: VariableServices;
}

export function createExecution(
  platform: Platform,
  { tenancy, workspace, states, variables }: BelowExecution,
  { notifications = {}, timeouts = DEFAULT_TIMEOUTS, execution: kind = 'none', address }: ExecutionOptions,
): Execution {
  const { database, signals, keyring, clock, report } = platform;
  const { organizations, users } = tenancy;
  const { finder: workspaces, hooks, locks, presenter, releases } = workspace;
  const agentServices = createAgents(platform, tenancy, workspace, kind === 'embedded');
  const { agents } = agentServices;
  const jobTokens = new JobTokens(platform, agents, (text, from) => tenancy.authentication.recall(text, from));
  const executionRollout = new ExecutionRollout(database, kind);
  tenancy.hooks.executes = executionRollout.executes;
  tenancy.hooks.onCreated.push(executionRollout.onCreated);
  const blobs = new Blobs(platform.blobStore, keyring);
  const blobWriter = new BlobWriter(platform);
  const finder = new RunFinder(database, workspaces);
  states.hooks.runs = finder;
  const waitReasons = new WaitReasons(clock, kind === 'embedded');
  const runStateMachine = new RunStateMachine(locks, waitReasons);
  const runObservers = new RunObservers(runStateMachine);
  // If the kind is `none`, programs that the server does not know may execute runs through the API.
  const executable = new ExecutableWorkspaces(kind !== 'agents');
  const start = new RunStart(keyring, runStateMachine, releases);
  const configurations = new UsableConfigurations(database);
  const configurationVersions = new ConfigurationVersions({
    ...{ database, clock, blobs, blobWriter, workspaces },
    isInUse: store.isConfigurationInUse,
  });
  const configurationUploads = new ConfigurationUploads({
    ...{ database, keyring, clock, blobs: blobWriter, workspaces },
    runs: {
      hasRuns: async (db, id) => (await store.firstRunOfConfiguration(db, id)) !== undefined,
      start: autoQueue(clock, start, executable),
    },
  });
  const runTriggers = new RunTriggers(database, clock, workspaces);
  const savedPlans = new SavedPlans(clock, runStateMachine);
  states.hooks.onChanged.push((tx, workspaceId) => savedPlans.stateChanged(tx, workspaceId));
  runStateMachine.onApplied.push((tx, { workspaceId }) => savedPlans.applied(tx, workspaceId));
  runStateMachine.onApplied.push(fireTriggers(runTriggers, configurations, start, executable));
  const runComments = new RunComments(database, clock, finder);
  const logWaits = new LogWaits(signals);
  runStateMachine.onTransition.push(async (tx, { id }) => logWaits.wake(tx, id));
  const runPhases = new RunPhases({ database, keyring, clock, finder, waits: logWaits });
  const checks = new ApplyChecks({ clock, locks, variables: variables.appliedVariables, start });
  const outcomes = new RunOutcomes(runStateMachine, checks);
  const runActions = new RunActions({ database, clock, finder, stateMachine: runStateMachine, outcomes, checks });
  const trials = new Trials();
  const runTasks = createRunTasks(platform, tenancy, workspace, trials, notifications);
  const stageParts = { ...runTasks, finder, outcomes, phases: runPhases, stateMachine: runStateMachine };
  const taskStages = createTaskStages(platform, tenancy, stageParts);
  tenancy.hooks.agents = agentsLetIn(platform, agentServices, jobTokens, taskStages.taskCallbacks);
  const runOutputs = new RunOutputs({
    ...{ database, blobs, blobWriter, clock, finder, phases: runPhases, stateMachine: runStateMachine },
  });
  runStateMachine.onTransition.push(runOutputs.onTransition);
  const runPresenter = new RunPresenter({
    ...{ clock, database, waitReasons, phases: runPhases, outputs: runOutputs, comments: runComments, start, users },
    stages: shownStages(taskStages.taskStages),
    workspaces: presenter,
    configurations: configurationVersions,
  });
  const includedRuns = new IncludedRuns(database, finder, runPresenter);
  states.hooks.includedRuns = (...asked) => includedRuns.named(...asked);
  joinWorkspaces(hooks, {
    ...{ database, clock, presenter: runPresenter, stateMachine: runStateMachine },
    configurations: configurationVersions,
  });
  hooks.retained.push(retainedRuns(database), retainedConfigurations(database, configurationVersions));
  const waits = new ClaimWaits(signals);
  runStateMachine.onTransition.push(waits.onTransition);
  const signingKeys = new SigningKeys(database, keyring, clock, report);
  const workloadIdentity = new WorkloadIdentity(address, signingKeys, clock);
  const inputs = new JobInputs({
    ...{ tokens: jobTokens, phases: runPhases, projects: tenancy.projects, workspaces: workspace, states, start },
    ...{ applied: variables.appliedVariables, timeouts, identity: workloadIdentity, address, database, checks },
  });
  const runClaims = new RunClaims({
    ...{ database, clock, agents, inputs, outcomes, phases: runPhases, stateMachine: runStateMachine, waits, report },
    observers: runObservers,
  });
  const { assessments, results, reconcilers } = createAssessments(platform, workspace, {
    ...{ stateMachine: runStateMachine, start, phases: runPhases, outputs: runOutputs },
  });
  runStateMachine.onCutShort.push((tx, run, reason) => runPhases.noteEnd(tx, run, reason));
  const allReconcilers = [
    new QueueReconciler({ clock, waits, checks, outcomes }),
    savedPlans,
    new Timeouts(clock, runStateMachine, timeouts),
    new NoAgentNotice(clock, kind === 'embedded'),
    ...reconcilers,
  ];
  const runReconciler = new RunReconciler(database, allReconcilers, report);
  const notificationServices = createNotifications(
    platform,
    tenancy,
    workspace,
    runStateMachine,
    results.finished,
    trials,
    notifications,
  );
  const { authentication } = tenancy;
  const changeStreams = new ChangeStreams({ ...{ database, clock, report }, authentication, finder: workspaces });
  return {
    ...agentServices,
    ...notificationServices,
    ...runTasks,
    ...taskStages,
    clock,
    changeStreams,
    assessments,
    executionRollout,
    runs: new Runs({ database, clock, organizations, workspaces, finder, configurations, start, executable }),
    poolQueue: new PoolQueue({ database, clock, pools: agentServices.agentPools, finder }),
    runActions,
    runClaims,
    runReconciler,
    interruptedRuns: new InterruptedRuns(database, clock, runStateMachine, runPhases),
    runComments,
    runObservers,
    runOutputs,
    runPhases,
    runPresenter,
    includedRuns,
    runStateMachine,
    runTriggers,
    jobTraces: untraced(),
    jobs: new Jobs({
      ...{ database, clock, inputs, phases: runPhases, stateMachine: runStateMachine, outcomes },
      found: results.note,
    }),
    workloadIdentity,
    configurationVersions,
    configurationUploads,
    gauges: new ExecutionGauges(database, clock),
    background: [
      ...[waits, logWaits, changeStreams, runClaims.background, runReconciler.background],
      ...[notificationServices.notificationDeliveries, taskStages.taskRequests, workloadIdentity.background],
    ],
  };
}
