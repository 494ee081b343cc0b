import type { Database } from '../../storage/index.ts';
import type { Dependent, Included, IncludeSource, WorkspaceHooks, WorkspaceView } from '../workspace/index.ts';
import type { ConfigurationVersions } from './configuration-version/configuration-versions.ts';
import { configurationVersionResource } from './configuration-version/document.ts';
import { allows } from './lifecycle/status.ts';
import { type RunView, runPermissions } from './run/finder.ts';
import { interruptApplyIn } from './run/interruption.ts';
import * as listStore from './run/list/list-store.ts';
import type { RunIncludes, RunPresenter } from './run/presenter.ts';
import * as queueStore from './run/queue-store.ts';
import type { RunStateMachine } from './run/run-state-machine.ts';
import * as store from './run/store.ts';

/** Dependencies of the run hooks of workspaces. */
export interface RunPartsOptions {
  readonly database: Database;
  readonly clock: () => number;
  readonly presenter: RunPresenter;
  readonly stateMachine: RunStateMachine;
  readonly configurations: ConfigurationVersions;
}

/**
 * Hooks of runs in workspaces: includes runs in workspace documents, and ends runs when a workspace is unlocked or
 * deleted.
 */
export function joinWorkspaces(hooks: WorkspaceHooks, options: RunPartsOptions): void {
  const { includes, dependents, quietlyUnlocked, unlocked } = hooks;
  const { clock, stateMachine, configurations } = options;
  for (const run of ['current_run', 'latest_run'] as const) {
    includes.set(run, includedRuns(options, new Set()));
    includes.set(`${run}.plan`, includedRuns(options, new Set(['plan'])));
    includes.set(`${run}.apply`, includedRuns(options, new Set(['apply'])));
    includes.set(`${run}.configuration_version`, includedRuns(options, new Set(['configuration_version'])));
  }
  includes.set('current_configuration_version', includedConfigurations(configurations));
  includes.set('locked_by', besides(includes.get('locked_by'), includedRuns(options, new Set(), lockingRun)));
  dependents.push(endOfRuns(stateMachine, clock));
  quietlyUnlocked.push(queueStore.NO_RUN_WAITS);
  unlocked.push(async (tx, workspaceId) => {
    await interruptApplyIn(tx, workspaceId, clock());
    await stateMachine.promote(tx, workspaceId, clock());
  });
}

type RunOf = (workspace: WorkspaceView) => string | null;
const currentRun: RunOf = ({ current }) => current.runId;
const lockingRun: RunOf = ({ lock }) => (lock?.holder.type === 'runs' ? lock.holder.id : null);

/** Returns the current runs of workspaces, or other runs of these workspaces, with their included resources. */
function includedRuns(
  { database, presenter }: RunPartsOptions,
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

/** Combines the includes of another module with these, for the same value. */
function besides(other: IncludeSource | undefined, own: IncludeSource): IncludeSource {
  return async (...asked): Promise<Included> => {
    const both = await Promise.all([other?.(...asked), own(...asked)]);
    return { resources: both.flatMap((given) => given?.resources ?? []) };
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

function includedConfigurations(configurations: ConfigurationVersions): IncludeSource {
  return async (_actor, workspaces) => {
    const readable = workspaces.filter(({ permissions }) => permissions['can-read-run']);
    const found = await configurations.named(readable.flatMap(({ current }) => current.configurationVersionId ?? []));
    return { resources: found.map((version) => configurationVersionResource(version)) };
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
