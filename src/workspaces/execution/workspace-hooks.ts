import type { Database } from '../../storage/index.ts';
import type { Dependent, IncludeSource, WorkspaceExtension, WorkspaceView } from '../workspace/index.ts';
import type { AgentPools } from './agent-pool/agent-pools.ts';
import { includedPools } from './agent-pool/create-agents.ts';
import { whyStays } from './approval/rules.ts';
import type { Assessments } from './assessment/assessments.ts';
import { includedAssessments } from './assessment/create-assessments.ts';
import type { AutoDestroyPlans } from './auto-destroy/plans.ts';
import type { ConfigurationVersions } from './configuration-version/configuration-versions.ts';
import type { Ingresses } from './configuration-version/ingress.ts';
import { ConfigurationVersionResource } from './configuration-version/resource.ts';
import { allows } from './lifecycle/status.ts';
import { UNSENT_MESSAGES } from './notification/create-notifications.ts';
import type { Readmes } from './readme/readmes.ts';
import { retainedConfigurations, retainedRuns } from './retained.ts';
import { type RunView, runPermissions } from './run/finder.ts';
import { interruptApplyIn } from './run/interruption.ts';
import * as listStore from './run/list/list-store.ts';
import type { RunIncludes, RunPresenter } from './run/presenter.ts';
import * as queueStore from './run/queue-store.ts';
import type { RunStateMachine } from './run/run-state-machine.ts';
import * as store from './run/store.ts';

/** Services whose resources workspaces show and delete. */
export interface RunsInWorkspacesOptions {
  readonly database: Database;
  readonly clock: () => number;
  readonly presenter: RunPresenter;
  readonly stateMachine: RunStateMachine;
  readonly configurations: ConfigurationVersions;
  readonly ingresses: Ingresses;
  readonly readmes: Readmes;
  readonly agentPools: AgentPools;
  readonly assessments: Assessments;
  readonly autoDestroy: AutoDestroyPlans;
}

/**
 * Returns the part of this module in workspaces: included resources, retention, and the end of runs when a workspace is
 * unlocked or deleted.
 */
export function runsInWorkspaces(options: RunsInWorkspacesOptions): WorkspaceExtension {
  const { agentPools, assessments, autoDestroy, clock, configurations, database, ingresses, readmes, stateMachine } =
    options;
  return {
    references: { agentPools },
    includes: {
      ...includedOf('current_run', options),
      ...includedOf('latest_run', options),
      current_configuration_version: includedConfigurations(configurations),
      'current_configuration_version.ingress_attributes': includedConfigurations(configurations, ingresses),
      locked_by: includedRuns(options, new Set(), lockingRun),
      agent_pool: includedPools(agentPools),
      current_assessment_result: includedAssessments(assessments),
      readme: readmes.include,
    },
    retained: [retainedRuns(database), retainedConfigurations(database, configurations)],
    // The schedule comes before the end of runs, so that it does not take that for a result.
    dependents: [autoDestroy.dependent, endOfRuns(stateMachine, clock), UNSENT_MESSAGES],
    settingsChanged: (tx, change) => autoDestroy.settingsChanged(tx, change),
    restrictsMoves: (projectId) => whyStays(database, projectId),
    quietlyUnlocked: queueStore.NO_RUN_WAITS,
    unlocked: async (tx, workspaceId) => {
      await interruptApplyIn(tx, workspaceId, clock());
      await stateMachine.promote(tx, workspaceId, clock());
    },
  };
}

/** Returns the sources of a run of workspaces, alone and with its related resources. */
function includedOf(run: 'current_run' | 'latest_run', options: RunsInWorkspacesOptions) {
  return {
    [run]: includedRuns(options, new Set()),
    [`${run}.plan`]: includedRuns(options, new Set(['plan'])),
    [`${run}.apply`]: includedRuns(options, new Set(['apply'])),
    [`${run}.configuration_version`]: includedRuns(options, new Set(['configuration_version'])),
    [`${run}.configuration_version.ingress_attributes`]: includedRuns(
      options,
      new Set(['configuration_version.ingress_attributes']),
    ),
  };
}

type RunOf = (workspace: WorkspaceView) => string | null;
const currentRun: RunOf = ({ current }) => current.runId;
const lockingRun: RunOf = ({ lock }) => (lock?.holder.type === 'runs' ? lock.holder.id : null);

/** Returns the current runs of workspaces, or other runs of these workspaces, with their included resources. */
function includedRuns(
  { database, presenter }: RunsInWorkspacesOptions,
  asked: RunIncludes,
  runOf: RunOf = currentRun,
): IncludeSource {
  return async (actor, workspaces, { origin }) => {
    const readable = workspaces.filter(({ permissions }) => permissions['can-read-run']);
    const runs = await runsOf(database, readable, runOf);
    if (runs.length === 0) return { resources: [] };
    const { data, included } = await presenter.present(actor, runs, asked, origin);
    return { resources: [...data, ...included] };
  };
}

async function runsOf(database: Database, workspaces: readonly WorkspaceView[], runOf: RunOf): Promise<RunView[]> {
  const byId = new Map(workspaces.map((workspace) => [workspace.id, workspace]));
  const runs = await listStore.findListedRuns(
    database,
    workspaces.flatMap((workspace) => runOf(workspace) ?? []),
  );
  return runs.flatMap((run) => {
    const workspace = byId.get(run.workspaceId);
    return workspace ? [{ ...run, workspace, permissions: runPermissions(run, workspace.permissions) }] : [];
  });
}

/** Returns the current configuration versions of workspaces, with their origins if `ingresses` are given. */
function includedConfigurations(configurations: ConfigurationVersions, ingresses?: Ingresses): IncludeSource {
  return async (_actor, workspaces) => {
    const readable = workspaces.filter(({ permissions }) => permissions['can-read-run']);
    const ids = readable.flatMap(({ current }) => current.configurationVersionId ?? []);
    const found = await configurations.named(ids);
    const origins = (await ingresses?.included(ids)) ?? [];
    return { resources: [...found.map((version) => ConfigurationVersionResource.document(version)), ...origins] };
  };
}

/** A restored workspace must not have an unfinished run. */
function endOfRuns(stateMachine: RunStateMachine, clock: () => number): Dependent {
  return {
    name: 'runs',
    async detach(tx, { id: workspaceId }) {
      for (const id of await queueStore.unfinishedRunsOfWorkspace(tx, workspaceId)) {
        const run = await store.claimRun(tx, id);
        if (run === undefined) continue;
        const status = allows('discard', run.status) ? 'discarded' : 'force_canceled';
        await stateMachine.transition(tx, run, status, { now: clock(), actor: null });
      }
      return null;
    },
  };
}
