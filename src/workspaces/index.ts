/** The workspace API: what machines and people may work on. */

export type { Actor, Machine, MachineAuthenticator, UserActor } from './tenancy/index.ts';
export { workspacesMigrations, workspacesSealedColumns } from './wings.ts';
export { createWorkspaces, type Workspaces, type WorkspacesOptions } from './workspaces.ts';
export { workspacesService, workspacesServices } from './workspaces-service.ts';
