import type { Platform } from '../platform/platform.ts';
import type { Tenancy } from '../tenancy/index.ts';
import type { WorkspaceServices } from '../workspace/index.ts';
import type { AgentPools } from './agent-pool/agent-pools.ts';
import type { ConfigurationServices } from './create-configurations.ts';
import type { RunCore } from './create-run-core.ts';
import type { RunOutputs } from './output/run-outputs.ts';
import { RunActions } from './run/actions.ts';
import { ApprovalActions } from './run/approval/actions.ts';
import { ApprovedConfirmation } from './run/approval/confirmation.ts';
import { RunApprovals } from './run/approval/run-approvals.ts';
import { RunComments } from './run/history/comments.ts';
import { IncludedRuns } from './run/included-runs.ts';
import type { RunPhases } from './run/phases.ts';
import { PoolQueue } from './run/pool/pool-queue.ts';
import { RunPresenter, type StagesShown } from './run/presenter.ts';
import type { RunStateMachine } from './run/run-state-machine.ts';
import { Runs } from './run/runs.ts';

/** Services behind the routes of runs. */
export interface RunServices {
  readonly runs: Runs;
  readonly runActions: RunActions;
  readonly approvalActions: ApprovalActions;
  readonly runApprovals: RunApprovals;
  readonly runComments: RunComments;
  readonly runPhases: RunPhases;
  readonly runPresenter: RunPresenter;
  readonly runStateMachine: RunStateMachine;
  readonly includedRuns: IncludedRuns;
  readonly poolQueue: PoolQueue;
}

/** Dependencies besides the core. */
export interface RunServicesOptions
  extends Pick<ConfigurationServices, 'configurationVersions' | 'configurations' | 'ingresses'> {
  readonly outputs: RunOutputs;
  readonly stages: StagesShown;
  readonly pools: AgentPools;
}

/** Creates the services. */
export function createRuns(
  { database, clock }: Platform,
  { organizations, users }: Tenancy,
  { finder: workspaces, presenter }: WorkspaceServices,
  core: RunCore,
  { configurations, configurationVersions, ingresses, outputs, pools, stages }: RunServicesOptions,
): RunServices {
  const { finder } = core;
  const confirmation = new ApprovedConfirmation({ ...core, notes: core.approvalNotes });
  const runComments = new RunComments(database, clock, finder);
  const runPresenter = new RunPresenter({
    ...{ ...core, clock, database, ingresses, outputs, stages, users },
    ...{ comments: runComments, workspaces: presenter, configurations: configurationVersions },
  });
  return {
    runs: new Runs({ ...core, database, clock, organizations, workspaces, configurations }),
    runActions: new RunActions({ ...core, database, clock, confirmation }),
    approvalActions: new ApprovalActions({ ...core, database, clock, confirmation }),
    runApprovals: new RunApprovals(database, finder),
    runComments,
    runPhases: core.phases,
    runPresenter,
    runStateMachine: core.stateMachine,
    includedRuns: new IncludedRuns(database, finder, runPresenter),
    poolQueue: new PoolQueue({ database, clock, pools, finder }),
  };
}
