import type { Module } from '../platform/module.ts';
import { RecoverableItemResource } from './deletion/resource.ts';
import { LockEventResource } from './lock/resource.ts';
import { baseline } from './migrations/baseline.ts';
import { ruleColumns } from './migrations/rule-columns.ts';
import { RETENTION_POLICIES } from './retention/resource.ts';
import { WorkspaceResource } from './settings/resource.ts';
import { SshKeyResource } from './ssh-key/resource.ts';
import { sealedSshKeys } from './ssh-key/ssh-keys.ts';
import { ReservedKeyResource, TagResource } from './tag/resource.ts';
import { TeamProjectResource, TeamWorkspaceResource } from './team-access/resource.ts';
import { OpaVersionResource, SentinelVersionResource, TerraformVersionResource } from './tool-version/resource.ts';

export {
  createWorkspaceServices,
  type WorkspacePolicies,
  type WorkspaceServices,
} from './create-workspace-services.ts';
export type { WorkspacePresenter } from './document/presenter.ts';
export type { EngineReleases } from './engine/releases.ts';
export type {
  Dependent,
  DocumentSource,
  Included,
  IncludeSource,
  Part,
  SettingsChange,
  StateGate,
  WorkspaceExtension,
  WorkspaceHooks,
} from './hooks/hooks.ts';
export type { Older, RetainedStore } from './hooks/retained.ts';
export { readClock, workspaceChanges } from './list/changes.ts';
export { settingsColumns } from './list/settings-columns.ts';
export { sorted } from './list/sorting.ts';
export { LOCK_OUTCOMES, type WorkspaceLocks } from './lock/locks.ts';
export { EXECUTION, IS_LOCAL, IS_REMOTE, isServedBy } from './model/execution-view.ts';
export {
  setAssessment,
  setAutoDestroy,
  setCurrentConfigurationVersion,
  setCurrentRun,
  setCurrentState,
  setDestroyed,
  setPerformance,
  setRunStatus,
  setWorkedAt,
} from './model/figures.ts';
export type { WorkspaceFinder } from './model/finder.ts';
export { MAX_OUTPUTS_SHOWN } from './model/limits.ts';
export { NOT_DELETED, notDeleted } from './model/row.ts';
export { DEFAULT_SETTINGS, type Settings } from './model/settings.ts';
export { findWorkspaces, holdWorkspace } from './model/store.ts';
export {
  type AutoDestroyOutcome,
  executionOf,
  type Workspace,
  type WorkspaceRef,
  type WorkspaceView,
} from './model/workspace.ts';
export { type AutoDestroyPlan, autoDestroyPlan, plansTheSame } from './settings/auto-destroy.ts';
export type { Place } from './settings/references.ts';
export { vcsRepoDocument, WorkspaceResource } from './settings/resource.ts';
export { nextTriggers } from './settings/rules.ts';
export { TriggerAttributes } from './settings/schema.ts';
export { tagsRegexOf } from './settings/tags-regex.ts';
export { workspaceRoutes } from './workspace-routes.ts';

export const workspace: Module = {
  migrations: [baseline, ruleColumns],
  sealedColumns: [sealedSshKeys],
  resources: [
    WorkspaceResource,
    ...[TerraformVersionResource, OpaVersionResource, SentinelVersionResource],
    ...[...RETENTION_POLICIES, TeamWorkspaceResource, TeamProjectResource],
    ...[TagResource, ReservedKeyResource, LockEventResource, RecoverableItemResource, SshKeyResource],
  ],
};
