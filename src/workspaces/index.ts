/** The workspace API: what machines and people may work on. */
export { discoveryService } from './http/discovery.ts';
export { oauthService } from './login/oauth-service.ts';
export { pageService } from './login/page-service.ts';
export type { Machine, MachineAuthenticator } from './machine/machine.ts';
export { workspacesMigrations } from './migrations/index.ts';
export type { Actor, UserActor } from './permissions/actor.ts';
export { workspacesSealedColumns } from './sealed-columns.ts';
export { workspacesService } from './service.ts';
export { createWorkspaces, type Workspaces, type WorkspacesOptions } from './workspaces.ts';
