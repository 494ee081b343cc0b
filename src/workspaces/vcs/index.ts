import type { Module } from '../platform/module.ts';
import { sealedConnections } from './connection/sealing.ts';
import { sealedRemovals } from './hook/removals.ts';
import { sealedHooks } from './hook/secrets.ts';
import { baseline } from './migrations/baseline.ts';
import { VCS_ANSWERS } from './openapi/answers.ts';
import { VCS_RESOURCES } from './openapi/resources.ts';

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
  openApi: { resources: VCS_RESOURCES, answers: VCS_ANSWERS },
};
