import type { Module } from '../platform/module.ts';
import { sealedForwarding } from './forwarding/store.ts';
import { baseline } from './migrations/baseline.ts';
import { sealedNotifications } from './notification/sealing.ts';
import { EXECUTION_ANSWERS } from './openapi/answers.ts';
import { EXECUTION_RESOURCES } from './openapi/resources.ts';
import { sealedLogs } from './run/phases.ts';
import { sealedRunVariables } from './run/start.ts';
import { sealedTasks } from './run-task/sealing.ts';
import { sealedResults } from './task-stage/result-store.ts';
import { sealedIdentityKeys } from './workload-identity/key-store.ts';

export { assessmentFileRoutes } from './assessment/file-routes.ts';
export { changeRoutes } from './change/routes.ts';
export { createExecution } from './create-execution.ts';
export type { Execution, ExecutionOptions } from './execution.ts';
export type { ExecutionKind, RolloutResult } from './execution-rollout.ts';
export { executionRoutes } from './execution-routes.ts';
export { jobLogRoute } from './job/log-route.ts';
export type { PhaseTimeouts } from './job/timeouts.ts';
export { workFacts } from './job/work-facts.ts';
export { LOSSES, RUN_OUTCOMES } from './metrics/run-observer.ts';
export { runOutputRoutes } from './output/routes.ts';
export { readmeContentColumns } from './readme/store.ts';
export { runTransferRoutes } from './run/transfer-routes.ts';
export { taskCallbackRoutes } from './task-stage/callback-routes.ts';
export { closeToTokens, TOKEN_ROUTES } from './token-routes.ts';
export { identityRoutes } from './workload-identity/discovery-routes.ts';

export const execution: Module = {
  migrations: [baseline],
  sealedColumns: [
    sealedLogs,
    ...sealedForwarding,
    sealedRunVariables,
    ...sealedNotifications,
    ...sealedTasks,
    sealedResults,
    sealedIdentityKeys,
  ],
  openApi: { resources: EXECUTION_RESOURCES, answers: EXECUTION_ANSWERS },
};
