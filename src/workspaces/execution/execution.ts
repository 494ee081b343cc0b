import type { BackgroundWork } from '../../lib/background/background-work.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Delivery, DeliveryLoop } from '../delivery/index.ts';
import type { States } from '../state/index.ts';
import type { Tenancy } from '../tenancy/index.ts';
import type { VariableServices } from '../variables/index.ts';
import type { RunResults, Vcs } from '../vcs/index.ts';
import type { WorkspaceServices } from '../workspace/index.ts';
import type { AgentServices } from './agent-pool/create-agents.ts';
import type { ApprovalRules } from './approval/rules.ts';
import type { Assessments } from './assessment/assessments.ts';
import type { AutoDestroyServices } from './auto-destroy/create-auto-destroy.ts';
import type { ChangeStreams } from './change/streams.ts';
import type { CommitFetches } from './commit-run/commit-fetches.ts';
import type { StartedCommits } from './commit-run/commit-runs.ts';
import type { ConfigurationServices } from './create-configurations.ts';
import type { JobServices } from './create-jobs.ts';
import type { RunServices } from './create-runs.ts';
import type { ExecutionKind, ExecutionRollout } from './execution-rollout.ts';
import type { ExplorerServices } from './explorer/create-explorer.ts';
import type { MemoryBounds } from './explorer/table/tables.ts';
import type { ForwardedFetch } from './forwarding/forwarded-fetch.ts';
import type { ForwardedRequests } from './forwarding/forwarded-requests.ts';
import type { PhaseTimeouts } from './job/timeouts.ts';
import type { ExecutionGauges } from './metrics/execution-gauges.ts';
import type { NotificationServices } from './notification/create-notifications.ts';
import type { RunOutputs } from './output/run-outputs.ts';
import type { RunTaskServices } from './run-task/create-run-tasks.ts';
import type { RunTriggers } from './run-trigger/run-triggers.ts';
import type { Schedules } from './schedule/schedules.ts';
import type { TaskStageServices } from './task-stage/create-task-stages.ts';

/** Services for configuration versions, runs, run triggers, agents and notifications. */
export interface Execution
  extends AgentServices,
    ConfigurationServices,
    ExplorerServices,
    JobServices,
    NotificationServices,
    RunServices,
    RunTaskServices,
    TaskStageServices {
  readonly clock: Clock;
  readonly approvalRules: ApprovalRules;
  readonly assessments: Assessments;
  readonly autoDestroy: AutoDestroyServices;
  readonly changeStreams: ChangeStreams;
  readonly commitFetches: CommitFetches;
  /** Background task of `commitFetches`. */
  readonly commitFetchLoop: DeliveryLoop<unknown>;
  readonly commitRuns: StartedCommits;
  readonly executionRollout: ExecutionRollout;
  readonly forwarding: ForwardedFetch;
  readonly forwardedRequests: ForwardedRequests;
  readonly gauges: ExecutionGauges;
  readonly runOutputs: RunOutputs;
  readonly runResults: RunResults;
  readonly runTriggers: RunTriggers;
  readonly schedules: Schedules;
  readonly background: readonly BackgroundWork[];
}

/** Settings of the operator for runs. */
export interface ExecutionOptions {
  readonly timeouts?: PhaseTimeouts;
  /** Which agents execute runs. If absent, no agents do. */
  readonly execution?: ExecutionKind;
  /** Public URL of this API, such as `https://lockkeeper.example.com`. Without it, runs have no workload identity. */
  readonly address?: string | undefined;
  /** Memory of the explorer. Default: its limits. */
  readonly explorerMemory?: MemoryBounds;
}

/** Modules on which this one depends. */
export interface BelowExecution {
  readonly delivery: Delivery;
  readonly tenancy: Tenancy;
  readonly workspace: WorkspaceServices;
  readonly states: States;
  readonly variables: VariableServices;
  readonly vcs: Vcs;
}
