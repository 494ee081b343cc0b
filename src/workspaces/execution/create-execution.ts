import type { BackgroundWork } from '../../lib/background-work.ts';
import type { Clock } from '../../lib/clock.ts';
import { Blobs } from '../../storage/index.ts';
import type { Platform } from '../platform/platform.ts';
import type { States } from '../state/index.ts';
import type { Tenancy } from '../tenancy/index.ts';
import type { VariableServices } from '../variables/index.ts';
import type { WorkspaceServices } from '../workspace/index.ts';
import { type AgentServices, createAgents } from './agent-pool/create-agents.ts';
import { ConfigurationVersions } from './configuration-version/configuration-versions.ts';
import { ConfigurationUploads } from './configuration-version/uploads.ts';
import { UsableConfigurations } from './configuration-version/usable.ts';
import { ClaimWaits } from './job/claim-waits.ts';
import { RunClaims } from './job/claims.ts';
import { RunVariables } from './job/run-variables.ts';
import { RunWatch } from './job/run-watch.ts';
import { SavedPlans } from './job/saved-plans.ts';
import { DEFAULT_TIMEOUTS, type PhaseTimeouts, Timeouts } from './job/timeouts.ts';
import { Unattended } from './job/unattended.ts';
import {
  createNotifications,
  type NotificationOptions,
  type NotificationServices,
} from './notification/create-notifications.ts';
import { RunOutputs } from './output/run-outputs.ts';
import { retainedConfigurations, retainedRuns } from './retained.ts';
import { RunActions } from './run/actions.ts';
import { autoQueue } from './run/auto-queue.ts';
import { RunComments } from './run/comments.ts';
import { RunFinder } from './run/finder.ts';
import { RunPhases } from './run/phases.ts';
import { RunPresenter } from './run/presenter.ts';
import { RunProgress } from './run/progress.ts';
import { Runs } from './run/runs.ts';
import { RunStart } from './run/start.ts';
import * as store from './run/store.ts';
import { createRunTasks, type RunTaskServices } from './run-task/create-run-tasks.ts';
import { fireTriggers } from './run-trigger/fire.ts';
import { RunTriggers } from './run-trigger/run-triggers.ts';
import { createTaskStages, type TaskStageServices } from './task-stage/create-task-stages.ts';
import { shownStages } from './task-stage/document.ts';
import { Trials } from './webhook/trials.ts';
import { joinWorkspaces } from './workspace-hooks.ts';

/** Configurations, their runs, what starts runs, who carries them out, and who is told. */
export interface Execution extends AgentServices, NotificationServices, RunTaskServices, TaskStageServices {
  readonly clock: Clock;
  readonly runs: Runs;
  readonly runActions: RunActions;
  readonly runClaims: RunClaims;
  readonly runWatch: RunWatch;
  readonly runComments: RunComments;
  readonly runOutputs: RunOutputs;
  readonly runPhases: RunPhases;
  readonly runPresenter: RunPresenter;
  readonly runProgress: RunProgress;
  readonly runTriggers: RunTriggers;
  readonly runVariables: RunVariables;
  readonly configurationVersions: ConfigurationVersions;
  readonly configurationUploads: ConfigurationUploads;
  readonly background: readonly BackgroundWork[];
}

/** The wings that runs stand on. */
export interface BelowExecution {
  readonly tenancy: Tenancy;
  readonly workspace: WorkspaceServices;
  readonly states: States;
  readonly variables: VariableServices;
}

export function createExecution(
  platform: Platform,
  { tenancy, workspace, states, variables }: BelowExecution,
  notifications: NotificationOptions,
  timeouts: PhaseTimeouts = DEFAULT_TIMEOUTS,
): Execution {
  const { database, signals, keyring, clock, report } = platform;
  const { organizations, users } = tenancy;
  const { finder: workspaces, hooks, locks, presenter, releases } = workspace;
  const agentServices = createAgents(platform, tenancy, workspace);
  const blobs = new Blobs(platform.blobStore, keyring);
  const finder = new RunFinder(database, workspaces);
  states.hooks.runs = finder;
  const runProgress = new RunProgress(locks);
  const start = new RunStart(keyring, runProgress, releases);
  const configurations = new UsableConfigurations(database);
  const configurationVersions = new ConfigurationVersions({
    ...{ database, clock, blobs, workspaces, report },
    isInUse: store.isInUse,
  });
  const configurationUploads = new ConfigurationUploads({
    ...{ database, keyring, clock, blobs, workspaces, report },
    runs: {
      hasRuns: async (id) => (await store.firstOf(database, id)) !== undefined,
      start: autoQueue(database, clock, start),
    },
  });
  const runTriggers = new RunTriggers(database, clock, workspaces);
  const savedPlans = new SavedPlans(clock, runProgress);
  states.hooks.changed.push((tx, workspaceId) => savedPlans.stateChanged(tx, workspaceId));
  runProgress.applied.push((tx, { workspaceId }) => savedPlans.applied(tx, workspaceId));
  runProgress.applied.push(fireTriggers(runTriggers, configurations, start));
  const runComments = new RunComments(database, clock, finder);
  const runPhases = new RunPhases(database, keyring, clock, finder);
  const runActions = new RunActions({ database, clock, finder, progress: runProgress });
  const trials = new Trials();
  const runTasks = createRunTasks(platform, tenancy, workspace, trials, notifications);
  const judging = { ...runTasks, finder, actions: runActions, phases: runPhases, progress: runProgress };
  const taskStages = createTaskStages(platform, tenancy, judging);
  const runPresenter = new RunPresenter({
    ...{ clock, phases: runPhases, comments: runComments, start, users },
    stages: shownStages(taskStages.taskStages),
    workspaces: presenter,
    configurations: configurationVersions,
  });
  joinWorkspaces(hooks, {
    ...{ database, clock, presenter: runPresenter, progress: runProgress },
    configurations: configurationVersions,
  });
  hooks.retained.push(retainedRuns(database), retainedConfigurations(database, configurationVersions));
  const { agents } = agentServices;
  const runOutputs = new RunOutputs({
    ...{ database, blobs, clock, finder, phases: runPhases, progress: runProgress, report },
  });
  runProgress.stepped.push(runOutputs.stepped);
  const waits = new ClaimWaits(signals);
  runProgress.stepped.push(waits.stepped);
  const runClaims = new RunClaims({
    ...{ database, clock, agents, finder, phases: runPhases, progress: runProgress, waits, report },
  });
  runProgress.cutShort.push((tx, run, reason) => runPhases.note(tx, run.id, `\n${reason}.\n`));
  const chores = [savedPlans, new Timeouts(clock, runProgress, timeouts), new Unattended(clock)];
  const runWatch = new RunWatch(database, chores, report);
  const told = createNotifications(platform, tenancy, workspace, runProgress, trials, notifications);
  return {
    ...agentServices,
    ...told,
    ...runTasks,
    ...taskStages,
    clock,
    runs: new Runs({ database, clock, organizations, workspaces, finder, configurations, start }),
    runActions,
    runClaims,
    runWatch,
    runComments,
    runOutputs,
    runPhases,
    runPresenter,
    runProgress,
    runTriggers,
    runVariables: new RunVariables(finder, start, variables.appliedVariables),
    configurationVersions,
    configurationUploads,
    background: [
      ...[waits, runClaims.background, runWatch.background],
      ...[told.notificationDeliveries, taskStages.taskRequests],
    ],
  };
}
