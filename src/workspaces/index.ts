/** The workspace API: what machines and people may work on. */

export { discoveryService } from './tenancy/login/discovery-service.ts';
export { oauthService } from './tenancy/login/oauth-service.ts';
export { pageService } from './tenancy/login/page-service.ts';
export type { Machine, MachineAuthenticator } from './tenancy/machine/machine.ts';
export type { Actor, UserActor } from './tenancy/permissions/actor.ts';
export { workspacesMigrations, workspacesSealedColumns } from './wings.ts';
export { createWorkspaces, type Workspaces, type WorkspacesOptions } from './workspaces.ts';
export { workspacesService } from './workspaces-service.ts';
