/** Public API of the workspace modules. */

export { LOSSES, RUN_OUTCOMES, workFacts } from './execution/index.ts';
export { workspacesContentColumns, workspacesMigrations, workspacesSealedColumns } from './modules.ts';
export { currentContent, UPLOAD_OUTCOMES } from './state/index.ts';
export type {
  Actor,
  FederationRules,
  Machine,
  MachineAuthenticator,
  PageSession,
  Place,
  ReadyProvider,
  UserActor,
} from './tenancy/index.ts';
export { issuerFacts as providerFacts, matchesGroup, PasskeyRefusal } from './tenancy/index.ts';
export { connectionsByStatus, openEventsByState, repositoriesByHealth, vcsFacts } from './vcs/index.ts';
export { LOCK_OUTCOMES } from './workspace/index.ts';
export { createWorkspaces, type Workspaces, type WorkspacesOptions } from './workspaces.ts';
export { entranceServices, workspacesService } from './workspaces-service.ts';
