import type { Wing } from '../platform/wing.ts';
import { agents } from './migrations/agents.ts';
import { certifiedAgents } from './migrations/certified-agents.ts';
import { notifications } from './migrations/notifications.ts';
import { queue } from './migrations/queue.ts';
import { runs } from './migrations/runs.ts';
import { sealedNotifications } from './notification/sealing.ts';
import { EXECUTION_ANSWERS } from './openapi/answers.ts';
import { EXECUTION_RESOURCES } from './openapi/resources.ts';
import { sealedLogs } from './run/phases.ts';
import { sealedRunVariables } from './run/start.ts';

export { createExecution, type Execution } from './create-execution.ts';
export { executionRoutes } from './execution-routes.ts';
export type { PhaseTimeouts } from './job/timeouts.ts';
export type { NotificationOptions } from './notification/create-notifications.ts';
export { runTransferRoutes } from './run/transfer-routes.ts';

export const execution: Wing = {
  migrations: [runs, agents, notifications, queue, certifiedAgents],
  sealedColumns: [sealedLogs, sealedRunVariables, ...sealedNotifications],
  openApi: { resources: EXECUTION_RESOURCES, answers: EXECUTION_ANSWERS },
};
