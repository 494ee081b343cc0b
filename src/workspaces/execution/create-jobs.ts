import type { BackgroundWork } from '../../lib/background/background-work.ts';
import type { Platform } from '../platform/platform.ts';
import type { States } from '../state/index.ts';
import type { Tenancy } from '../tenancy/index.ts';
import type { VariableServices } from '../variables/index.ts';
import type { WorkspaceServices } from '../workspace/index.ts';
import type { AgentServices } from './agent-pool/create-agents.ts';
import type { AssessmentServices } from './assessment/create-assessments.ts';
import type { RunCore } from './create-run-core.ts';
import type { ExecutionKind } from './execution-rollout.ts';
import { ClaimWaits } from './job/claim-waits.ts';
import { RunClaims } from './job/claims.ts';
import { JobInputs } from './job/inputs.ts';
import { InterruptedRuns } from './job/interrupted.ts';
import { JobTokens } from './job/job-tokens.ts';
import { type JobTraces, untraced } from './job/job-traces.ts';
import { Jobs } from './job/jobs.ts';
import { NoAgentNotice } from './job/no-agent-notice.ts';
import { QueueReconciler } from './job/queue-reconciler.ts';
import { type Reconciler, RunReconciler } from './job/run-reconciler.ts';
import { SavedPlans } from './job/saved-plans.ts';
import { type PhaseTimeouts, Timeouts } from './job/timeouts.ts';
import { RunObservers } from './metrics/run-observer.ts';
import { SigningKeys } from './workload-identity/signing-keys.ts';
import { WorkloadIdentity } from './workload-identity/workload-identity.ts';

/** Services of jobs, and of runs that change with time. */
export interface JobServices {
  readonly jobs: Jobs;
  readonly jobTokens: JobTokens;
  readonly jobTraces: JobTraces;
  readonly claimWaits: ClaimWaits;
  readonly runClaims: RunClaims;
  readonly runObservers: RunObservers;
  readonly runReconciler: RunReconciler;
  readonly interruptedRuns: InterruptedRuns;
  readonly savedPlans: SavedPlans;
  readonly workloadIdentity: WorkloadIdentity;
  readonly jobBackground: readonly BackgroundWork[];
}

/** Dependencies besides the core. */
export interface JobServicesOptions {
  readonly tenancy: Tenancy;
  readonly workspace: WorkspaceServices;
  readonly states: States;
  readonly variables: VariableServices;
  readonly agents: AgentServices['agents'];
  readonly assessments: AssessmentServices;
  /** Digests of notifications. */
  readonly digests: Reconciler;
  readonly timeouts: PhaseTimeouts;
  readonly kind: ExecutionKind;
  readonly address: string | undefined;
}

/** Creates the services. */
export function createJobs(
  platform: Platform,
  core: RunCore,
  { tenancy, workspace, states, variables, agents, assessments, digests, timeouts, kind, address }: JobServicesOptions,
): JobServices {
  const { database, signals, keyring, clock, report } = platform;
  const { stateMachine, phases, outcomes, checks } = core;
  const jobTokens = new JobTokens(platform, agents, (text, from) => tenancy.authentication.recall(text, from));
  const signingKeys = new SigningKeys(database, keyring, clock, report);
  const workloadIdentity = new WorkloadIdentity(address, signingKeys, clock);
  const inputs = new JobInputs({
    ...{ ...core, database, address, timeouts, states, tokens: jobTokens, identity: workloadIdentity },
    ...{ projects: tenancy.projects, workspaces: workspace, applied: variables.appliedVariables },
  });
  const claimWaits = new ClaimWaits(signals);
  const runObservers = new RunObservers();
  const runClaims = new RunClaims({
    ...{ ...core, database, clock, agents, inputs, report },
    ...{ waits: claimWaits, observers: runObservers },
  });
  const savedPlans = new SavedPlans(clock, stateMachine);
  const reconcilers = [
    new QueueReconciler({ clock, waits: claimWaits, checks, outcomes }),
    savedPlans,
    new Timeouts(clock, stateMachine, timeouts),
    new NoAgentNotice(clock, kind === 'embedded'),
    assessments.schedule,
    assessments.cancellation,
    digests,
  ];
  const runReconciler = new RunReconciler(database, reconcilers, report);
  return {
    jobs: new Jobs({ ...core, database, clock, inputs, found: assessments.results.note }),
    jobTokens,
    jobTraces: untraced(),
    claimWaits,
    runClaims,
    runObservers,
    runReconciler,
    interruptedRuns: new InterruptedRuns(database, clock, stateMachine, phases),
    savedPlans,
    workloadIdentity,
    jobBackground: [claimWaits, runClaims.background, runReconciler.background, workloadIdentity.background],
  };
}
