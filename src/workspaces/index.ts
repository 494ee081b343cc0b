export {
  type Actor,
  discoveryService,
  type Machine,
  type MachineAuthenticator,
  oauthService,
  pageService,
  type UserActor,
} from './tenancy/index.ts';
/** The workspace API: what machines and people may work on. */

export { workspacesMigrations, workspacesSealedColumns } from './wings.ts';
export { createWorkspaces, type Workspaces, type WorkspacesOptions } from './workspaces.ts';
export { workspacesService } from './workspaces-service.ts';
