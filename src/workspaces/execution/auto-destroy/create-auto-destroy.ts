import type { Platform } from '../../platform/platform.ts';
import type { WorkspaceServices } from '../../workspace/index.ts';
import type { UsableConfigurations } from '../configuration-version/usable.ts';
import type { RunStateMachine } from '../run/run-state-machine.ts';
import type { RunStart } from '../run/start.ts';
import { AutoDestroyPlans } from './plans.ts';
import { AutoDestroyProjects } from './projects.ts';
import { AutoDestroyResults } from './results.ts';
import { AutoDestroyRetries } from './retries.ts';
import { AutoDestroySchedule, type NotifyWorkspace } from './schedule.ts';

/** Automatic destroy runs. */
export interface AutoDestroyServices {
  readonly plans: AutoDestroyPlans;
  readonly projects: AutoDestroyProjects;
  readonly results: AutoDestroyResults;
  readonly retries: AutoDestroyRetries;
  readonly schedule: AutoDestroySchedule;
}

/** Dependencies of automatic destroy runs. */
export interface AutoDestroyParts {
  readonly stateMachine: RunStateMachine;
  readonly start: RunStart;
  readonly configurations: UsableConfigurations;
  /** Stores notifications of workspaces. Default: there are none. */
  readonly notify?: NotifyWorkspace;
}

/** Creates the services. */
export function createAutoDestroy(
  { database, clock }: Platform,
  { finder, hooks }: WorkspaceServices,
  { stateMachine, start, configurations, notify = async () => {} }: AutoDestroyParts,
): AutoDestroyServices {
  const plans = new AutoDestroyPlans(clock, stateMachine);
  const results = new AutoDestroyResults(clock, plans, notify);
  return {
    plans,
    projects: new AutoDestroyProjects(clock, plans),
    results,
    retries: new AutoDestroyRetries(database, clock, finder),
    schedule: new AutoDestroySchedule({
      ...{ clock, start, stateMachine, configurations, notify },
      finished: (tx, run) => results.finished(tx, run),
      whyUnread: async (tx, workspaceId) => hooks.states?.whyUnread(tx, workspaceId),
    }),
  };
}
