import type { Platform } from '../platform/platform.ts';
import { otherTokens } from './agent-pool/create-agents.ts';
import { agentsLetIn } from './agents-let-in.ts';
import { commitsOfRuns } from './configuration-version/ingress.ts';
import type { BelowExecution, Execution } from './execution.ts';
import type { RunFinder } from './run/finder.ts';
import { runsInWorkspaces } from './workspace-hooks.ts';

/** Adds the part of this module to the modules below it. */
export function extendLowerModules(
  platform: Platform,
  { tenancy, workspace, states, vcs }: Pick<BelowExecution, 'tenancy' | 'workspace' | 'states' | 'vcs'>,
  execution: Execution,
  runs: RunFinder,
): void {
  const { agentPools, agentTokens, assessments, autoDestroy, executionRollout, includedRuns, savedPlans } = execution;
  tenancy.hooks.extend({
    agentPools,
    agents: agentsLetIn(platform, execution, execution.jobTokens, execution.taskCallbacks),
    executes: executionRollout.executes,
    onCreated: executionRollout.onCreated,
    onAutoDestroyChanged: autoDestroy.projects.changed,
    otherTokens: otherTokens(agentTokens),
  });
  const { commitRuns, runResults, forwarding } = execution;
  vcs.hooks.extend({ commitRuns, runResults, forwarding });
  states.hooks.extend({
    runs,
    includedRuns: (...asked) => includedRuns.named(...asked),
    commitsOf: (runIds) => commitsOfRuns(platform.database, runIds),
    onChanged: async (tx, workspaceId) => {
      await savedPlans.stateChanged(tx, workspaceId);
      await autoDestroy.plans.active(tx, workspaceId, platform.clock());
    },
  });
  workspace.hooks.extend(
    runsInWorkspaces({
      ...{
        database: platform.database,
        clock: platform.clock,
        agentPools,
        assessments,
        autoDestroy: autoDestroy.plans,
      },
      presenter: execution.runPresenter,
      stateMachine: execution.runStateMachine,
      configurations: execution.configurationVersions,
      ingresses: execution.ingresses,
      readmes: execution.readmes,
    }),
  );
}
