import { Blobs, BlobWriter } from '../../storage/index.ts';
import type { Platform } from '../platform/platform.ts';
import { Trials } from '../platform/trials.ts';
import { createAgents } from './agent-pool/create-agents.ts';
import { ApprovalRules } from './approval/rules.ts';
import { createAssessments } from './assessment/create-assessments.ts';
import { createAutoDestroy } from './auto-destroy/create-auto-destroy.ts';
import { ChangeStreams } from './change/streams.ts';
import { CommitFetches } from './commit-run/commit-fetches.ts';
import { StartedCommits } from './commit-run/commit-runs.ts';
import { createConfigurations } from './create-configurations.ts';
import { createJobs } from './create-jobs.ts';
import { createRunCore } from './create-run-core.ts';
import { createRuns } from './create-runs.ts';
import type { BelowExecution, Execution, ExecutionOptions } from './execution.ts';
import { ExecutionRollout } from './execution-rollout.ts';
import { createExplorer } from './explorer/create-explorer.ts';
import { extendLowerModules } from './extensions.ts';
import { ForwardedFetch } from './forwarding/forwarded-fetch.ts';
import { ForwardedRequests } from './forwarding/forwarded-requests.ts';
import { AbsenceNote } from './job/absence-note.ts';
import { DEFAULT_TIMEOUTS } from './job/timeouts.ts';
import { ExecutionGauges } from './metrics/execution-gauges.ts';
import { createNotifications } from './notification/create-notifications.ts';
import type { ApprovalsOf } from './notification/deliveries.ts';
import { RunOutputs } from './output/run-outputs.ts';
import { approvalsOf } from './run/approval/run-approvals.ts';
import { CommitRunResults } from './run/result/run-results.ts';
import { runEffects } from './run-effects.ts';
import { createRunTasks } from './run-task/create-run-tasks.ts';
import { fireTriggers } from './run-trigger/fire.ts';
import { RunTriggers } from './run-trigger/run-triggers.ts';
import { createSchedules } from './schedule/create-schedules.ts';
import { createTaskStages } from './task-stage/create-task-stages.ts';
import { shownStages } from './task-stage/shown-stages.ts';

/** Creates the services in the order of their dependencies, and connects them to runs and to the lower modules. */
export function createExecution(platform: Platform, below: BelowExecution, options: ExecutionOptions): Execution {
  const { database, keyring, clock, report } = platform;
  const { delivery, tenancy, workspace } = below;
  const { timeouts = DEFAULT_TIMEOUTS, execution: kind = 'none', address } = options;
  const blobs = new Blobs(platform.blobStore, keyring);
  const blobWriter = new BlobWriter(platform);
  const trials = new Trials();
  const agents = createAgents(platform, tenancy, workspace, kind === 'embedded');
  const forwarding = new ForwardedFetch(platform);
  const forwardedRequests = new ForwardedRequests({ ...platform, agents: agents.agents });
  const core = createRunCore(platform, workspace, below.variables, kind, (tx, run) =>
    below.vcs.reports.runChanged(tx, run),
  );
  const configurations = createConfigurations(platform, workspace, { ...core, blobs, blobWriter });
  const commitRuns = new StartedCommits(core);
  const commitFetches = new CommitFetches({
    ...{ ...core, clock, database, vcs: below.vcs.hooks, runs: commitRuns },
    versions: configurations.configurationVersions,
  });
  const outputs = new RunOutputs({ ...core, database, blobs, blobWriter, clock });
  const runTasks = createRunTasks(platform, tenancy, workspace, trials, delivery);
  const stages = createTaskStages(platform, tenancy, { ...runTasks, ...core, delivery });
  const shown = { outputs, pools: agents.agentPools, stages: shownStages(stages.taskStages) };
  const runs = createRuns(platform, tenancy, workspace, core, { ...configurations, ...shown });
  const approvals: ApprovalsOf = async (db, runId) => (await approvalsOf(db, [runId])).get(runId);
  const notifications = createNotifications(platform, tenancy, workspace, trials, delivery, approvals);
  const finished = notifications.assessmentOutbox;
  const assessments = createAssessments(platform, workspace, { ...core, outputs, finished });
  const { workspaceNews: notify } = notifications;
  const autoDestroy = createAutoDestroy(platform, workspace, { ...core, ...configurations, notify });
  const schedules = createSchedules(platform, tenancy, workspace, { ...core, ...configurations });
  const reconcilers = [
    ...[autoDestroy.projects, autoDestroy.schedule, ...schedules.scheduleReconcilers],
    notifications.digests,
  ];
  const given = { ...below, assessments, reconcilers, timeouts, kind, address };
  const jobs = createJobs(platform, core, { ...given, agents: agents.agents });
  const runTriggers = new RunTriggers(database, clock, workspace.finder);
  const effects = runEffects({
    ...{ ...core, outputs, assessments, taskStages: stages.stageWalk, notify: notifications.notificationOutbox },
    autoDestroy: autoDestroy.results,
    ...{ savedPlans: jobs.savedPlans, claimWaits: jobs.claimWaits, observers: jobs.runObservers },
    absenceNote: kind === 'none' ? undefined : new AbsenceNote(core.phases, kind === 'embedded'),
    reportCommit: (tx, run) => below.vcs.reports.runChanged(tx, run),
    ...{ traces: jobs.jobTraces, fireTriggers: fireTriggers(runTriggers, configurations.configurations, core.start) },
  });
  core.stateMachine.connect({ effects, stages: [stages.stageWalk] });
  const { authentication } = tenancy;
  const changeStreams = new ChangeStreams({ database, clock, report, authentication, finder: workspace.finder });
  const execution = {
    ...{ ...agents, ...configurations, ...runTasks, ...stages, ...runs, ...notifications, ...jobs },
    ...{ commitFetches, commitFetchLoop: delivery.add(commitFetches), commitRuns },
    approvalRules: new ApprovalRules({ ...tenancy, database, clock, workspaces: workspace.finder }),
    ...{ clock, autoDestroy, changeStreams, runTriggers, assessments: assessments.assessments, runOutputs: outputs },
    ...{ forwarding, forwardedRequests, schedules: schedules.schedules },
    ...createExplorer(platform, tenancy, options.explorerMemory),
    runResults: new CommitRunResults(database, outputs),
    executionRollout: new ExecutionRollout(database, kind),
    gauges: new ExecutionGauges(database, clock),
    background: [core.logWaits, changeStreams, forwarding, forwardedRequests, ...jobs.jobBackground],
  };
  extendLowerModules(platform, below, execution, core.finder);
  return execution;
}
