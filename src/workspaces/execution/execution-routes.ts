import type { Api } from '../http/api.ts';
import type { Tenancy } from '../tenancy/index.ts';
import type { WorkspaceServices } from '../workspace/index.ts';
import { agentRoutes } from './agent-pool/agent-routes.ts';
import { agentPoolRoutes } from './agent-pool/routes.ts';
import { agentTokenRoutes } from './agent-pool/token-routes.ts';
import { approvalRuleRoutes } from './approval/routes.ts';
import { assessmentRoutes } from './assessment/routes.ts';
import { autoDestroyRoutes } from './auto-destroy/routes.ts';
import { configurationVersionRoutes } from './configuration-version/routes.ts';
import type { Execution } from './execution.ts';
import { explorerRoutes } from './explorer/routes.ts';
import { forwardingRoutes } from './forwarding/routes.ts';
import { jobRoutes } from './job/job-routes.ts';
import { notificationRoutes } from './notification/routes.ts';
import { runApprovalRoutes } from './run/approval/routes.ts';
import { eventRoutes } from './run/history/event-routes.ts';
import { phaseRoutes } from './run/phase-routes.ts';
import { poolQueueRoutes } from './run/pool/pool-queue.ts';
import { runRoutes } from './run/routes.ts';
import { runTaskRoutes } from './run-task/routes.ts';
import { workspaceTaskRoutes } from './run-task/workspace-task-routes.ts';
import { runTriggerRoutes } from './run-trigger/routes.ts';
import { scheduleRoutes } from './schedule/routes.ts';
import { stubRoutes } from './stubs/routes.ts';
import { taskStageRoutes } from './task-stage/routes.ts';

export function executionRoutes(
  api: Api,
  execution: Execution,
  { organizations, users }: Tenancy,
  { finder, presenter }: WorkspaceServices,
): void {
  agentPoolRoutes(api, { pools: execution.agentPools, finder, presenter });
  agentTokenRoutes(api, execution.agentTokens);
  agentRoutes(api, execution);
  forwardingRoutes(api, execution.forwardedRequests);
  configurationVersionRoutes(api, execution);
  runRoutes(api, execution);
  approvalRuleRoutes(api, execution.approvalRules);
  runApprovalRoutes(api, execution);
  poolQueueRoutes(api, execution.poolQueue, execution.runPresenter);
  jobRoutes(api, execution);
  phaseRoutes(api, execution);
  eventRoutes(api, { ...execution, users });
  runTriggerRoutes(api, execution.runTriggers, presenter);
  scheduleRoutes(api, execution);
  notificationRoutes(api, execution.notificationConfigurations);
  runTaskRoutes(api, execution.runTasks, presenter);
  workspaceTaskRoutes(api, execution.workspaceTasks);
  taskStageRoutes(api, execution.taskStages, execution.includedRuns);
  explorerRoutes(api, execution);
  assessmentRoutes(api, execution.assessments, presenter);
  autoDestroyRoutes(api, execution.autoDestroy.retries, presenter);
  stubRoutes(api, { organizations, runs: execution.runs });
}
