import type { Module } from '../platform/module.ts';
import { sealedConnections } from './connection/clients.ts';
import { vcsConnections } from './migrations/connections.ts';
import { vcsReports } from './migrations/reports.ts';
import { vcsRepositories } from './migrations/vcs.ts';
import { VCS_ANSWERS } from './openapi/answers.ts';
import { VCS_RESOURCES } from './openapi/resources.ts';

export { createVcs, type Vcs, type VcsOptions } from './create-vcs.ts';
export { vcsRoutes } from './vcs-routes.ts';

export const vcs: Module = {
  migrations: [vcsRepositories, vcsConnections, vcsReports],
  sealedColumns: [...sealedConnections],
  openApi: { resources: VCS_RESOURCES, answers: VCS_ANSWERS },
};
