/** The workspace API: what machines and people may work on. */

export { currentContent } from './state/index.ts';
export type {
  Actor,
  FederationRules,
  Machine,
  MachineAuthenticator,
  PageSession,
  ReadyProvider,
  UserActor,
} from './tenancy/index.ts';
export { workspacesContentColumns, workspacesMigrations, workspacesSealedColumns } from './wings.ts';
export { createWorkspaces, type Workspaces, type WorkspacesOptions } from './workspaces.ts';
export { entranceServices, workspacesService } from './workspaces-service.ts';
