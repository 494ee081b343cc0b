import type { Delivery, Sender } from '../../delivery/index.ts';
import type { Platform } from '../../platform/platform.ts';
import type { Trials } from '../../platform/trials.ts';
import type { Tenancy } from '../../tenancy/index.ts';
import type { WorkspaceServices } from '../../workspace/index.ts';
import { RunTaskResolver } from './run-task-resolver.ts';
import { RunTasks } from './run-tasks.ts';
import { TaskSealing } from './sealing.ts';
import { WorkspaceTasks } from './workspace-tasks.ts';

const SIGNATURE_HEADER = 'x-tfc-task-signature';

/** Services for run tasks of organizations and workspaces. */
export interface RunTaskServices {
  readonly runTasks: RunTasks;
  readonly workspaceTasks: WorkspaceTasks;
}

/** Further dependencies of run tasks. */
export interface RunTaskRequestParts {
  readonly taskSender: Sender;
  readonly runTaskResolver: RunTaskResolver;
}

/** Creates the services for run tasks. */
export function createRunTasks(
  { database, keyring, clock }: Platform,
  { organizations }: Tenancy,
  { finder }: WorkspaceServices,
  trials: Trials,
  delivery: Delivery,
): RunTaskServices & RunTaskRequestParts {
  const sealing = new TaskSealing(keyring);
  const sender = delivery.sender(SIGNATURE_HEADER);
  return {
    runTasks: new RunTasks({ database, clock, organizations, finder, sealing, sender, trials }),
    workspaceTasks: new WorkspaceTasks(database, clock, finder),
    taskSender: sender,
    runTaskResolver: new RunTaskResolver(keyring),
  };
}
