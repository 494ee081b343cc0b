import type { Module } from '../platform/module.ts';
import { AgentPoolResource, AgentResource } from './agent-pool/resource.ts';
import { ApprovalRuleResource } from './approval/resource.ts';
import { AssessmentResource } from './assessment/resource.ts';
import { ConfigurationVersionResource, IngressResource } from './configuration-version/resource.ts';
import { EXPLORER_RESOURCES } from './explorer/resource.ts';
import { ForwardedRequestResource } from './forwarding/resource.ts';
import { sealedForwarding } from './forwarding/store.ts';
import { JobResource, JobStatusResource } from './job/resource.ts';
import { baseline } from './migrations/baseline.ts';
import { NotificationResource } from './notification/resource.ts';
import { sealedNotifications } from './notification/sealing.ts';
import { ReadmeResource } from './readme/resource.ts';
import { RunApprovalResource } from './run/approval/resource.ts';
import { sealedLogs } from './run/phases.ts';
import {
  ApplyResource,
  CapacityResource,
  CommentResource,
  PlanResource,
  RunEventResource,
  RunResource,
} from './run/resource.ts';
import { sealedRunVariables } from './run/start.ts';
import { RunTaskResource, WorkspaceTaskResource } from './run-task/resource.ts';
import { sealedTasks } from './run-task/sealing.ts';
import { RunTriggerResource } from './run-trigger/resource.ts';
import { ScheduleOutcomeResource, SchedulePreviewResource, ScheduleResource } from './schedule/resource.ts';
import { TaskOutcomeResource, TaskResultResource, TaskStageResource } from './task-stage/resource.ts';
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
  resources: [
    RunResource,
    PlanResource,
    ApplyResource,
    RunEventResource,
    CommentResource,
    CapacityResource,
    ...EXPLORER_RESOURCES,
    JobResource,
    JobStatusResource,
    ForwardedRequestResource,
    NotificationResource,
    ConfigurationVersionResource,
    IngressResource,
    ApprovalRuleResource,
    RunApprovalResource,
    RunTriggerResource,
    ReadmeResource,
    RunTaskResource,
    WorkspaceTaskResource,
    TaskStageResource,
    TaskResultResource,
    TaskOutcomeResource,
    AgentPoolResource,
    AgentResource,
    AssessmentResource,
    ScheduleResource,
    ScheduleOutcomeResource,
    SchedulePreviewResource,
  ],
};
