/** The workspace API: what machines and people may work on. */

export { workFacts } from './execution/index.ts';
export type {
  Actor,
  FederationRules,
  Machine,
  MachineAuthenticator,
  PageSession,
  ReadyProvider,
  UserActor,
} from './tenancy/index.ts';
export { issuerFacts as providerFacts } from './tenancy/index.ts';
export { workspacesMigrations, workspacesSealedColumns } from './wings.ts';
export { createWorkspaces, type Workspaces, type WorkspacesOptions } from './workspaces.ts';
export { entranceServices, workspacesService } from './workspaces-service.ts';
