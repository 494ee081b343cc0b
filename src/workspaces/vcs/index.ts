import type { Module } from '../platform/module.ts';
import {
  DeliveryResource,
  EventResource,
  LinkResource,
  RepositoryResource,
  VerdictResource,
} from './activity/resource.ts';
import { ForkApprovalResource } from './approval/resource.ts';
import {
  AppRepositoryResource,
  AuthorizedRepositoryResource,
  BranchResource,
  FolderResource,
  OwnerResource,
  RepositoryCheckResource,
} from './browse/resource.ts';
import { AppAccountResource, AppResource, InstallationResource } from './connection/app/resource.ts';
import { OAuthClientResource, OAuthTokenResource } from './connection/resource.ts';
import { sealedConnections } from './connection/sealing.ts';
import { ExplanationResource, PreviewResource } from './explanation/resource.ts';
import { sealedRemovals } from './hook/removals.ts';
import { sealedHooks } from './hook/secrets.ts';
import { baseline } from './migrations/baseline.ts';

export { connectionsByStatus, openEventsByState, repositoriesByHealth, vcsFacts } from './activity/vcs-facts.ts';
export { archivedBlob } from './archive/archived-blob.ts';
export type { Connections } from './connection/access.ts';
export type { Connection, ConnectionStatus } from './connection/connection.ts';
export { vcsSignInService } from './connection/sign-in/sign-in-service.ts';
export { createVcs, type Vcs, type VcsOptions } from './create-vcs.ts';
export { webhookService } from './hook/webhook-service.ts';
export type { CommitArchives, FetchedCommit } from './hooks/commit-archives.ts';
export type { CommitRun, CommitRuns, IngressAttributes, StartedRun } from './hooks/commit-runs.ts';
export { type Forwarding, ForwardingError } from './hooks/forwarding.ts';
export type {
  ApplyProgress,
  ChangedResource,
  ChangedResources,
  PlanProgress,
  RunResult,
  RunResults,
} from './hooks/run-results.ts';
export { vcsRoutes } from './vcs-routes.ts';

export const vcs: Module = {
  migrations: [baseline],
  sealedColumns: [sealedHooks, sealedRemovals, ...sealedConnections],
  resources: [
    EventResource,
    RepositoryResource,
    LinkResource,
    VerdictResource,
    DeliveryResource,
    OAuthClientResource,
    ForkApprovalResource,
    ExplanationResource,
    PreviewResource,
    OAuthTokenResource,
    AppResource,
    InstallationResource,
    AppAccountResource,
    AppRepositoryResource,
    AuthorizedRepositoryResource,
    OwnerResource,
    RepositoryCheckResource,
    BranchResource,
    FolderResource,
  ],
};
