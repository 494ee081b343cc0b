import { type Delivery, type DeliveryLoop, OutcomeCounts } from '../../delivery/index.ts';
import type { Platform } from '../../platform/platform.ts';
import type { Tenancy } from '../../tenancy/index.ts';
import type { RunFinder } from '../run/finder.ts';
import type { RunOutcomes } from '../run/outcomes.ts';
import type { RunPhases } from '../run/phases.ts';
import type { RunStateMachine } from '../run/run-state-machine.ts';
import type { RunTaskRequestParts } from '../run-task/create-run-tasks.ts';
import { TaskCallbacks } from './callbacks.ts';
import { type RequestLabels, TaskRequests } from './requests.ts';
import { ResultStore } from './result-store.ts';
import { TaskStages } from './task-stages.ts';
import { StageWalk } from './walk.ts';

/** Run task results, and the requests to the services. */
export interface TaskStageServices {
  readonly taskStages: TaskStages;
  readonly taskCallbacks: TaskCallbacks;
  readonly taskRequests: DeliveryLoop<unknown>;
  readonly taskRequestMetrics: OutcomeCounts<RequestLabels>;
  readonly stageWalk: StageWalk;
}

/** Dependencies of run stages. */
export interface TaskStageDependencies extends RunTaskRequestParts {
  readonly delivery: Delivery;
  readonly finder: RunFinder;
  readonly phases: RunPhases;
  readonly stateMachine: RunStateMachine;
  readonly outcomes: RunOutcomes;
}

/** Creates the services. */
export function createTaskStages(
  { database, keyring, clock }: Platform,
  { users }: Tenancy,
  {
    delivery,
    finder,
    outcomes,
    phases,
    stateMachine,
    runTaskResolver: resolver,
    taskSender: sender,
  }: TaskStageDependencies,
): TaskStageServices {
  const results = new ResultStore(keyring);
  const walk = new StageWalk({ stateMachine, outcomes, phases, results, resolver });
  const metrics = new OutcomeCounts<RequestLabels>();
  const requests = new TaskRequests({ metrics, database, keyring, clock, users, resolver, sender, walk });
  return {
    taskStages: new TaskStages(database, finder, results),
    taskCallbacks: new TaskCallbacks({ database, keyring, clock, results, walk }),
    taskRequests: delivery.add(requests),
    taskRequestMetrics: metrics,
    stageWalk: walk,
  };
}
