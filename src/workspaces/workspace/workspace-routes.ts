import type { Api } from '../http/api.ts';
import { consumerRoutes } from './consumer/routes.ts';
import type { WorkspaceServices } from './create-workspace-services.ts';
import { recoveryRoutes } from './deletion/recovery-routes.ts';
import { explanationRoutes } from './explanation/routes.ts';
import { lockRoutes } from './lock/routes.ts';
import { moveRoutes } from './management/move-routes.ts';
import { workspaceResourceRoutes } from './management/routes.ts';
import { sshKeyAssignmentRoutes } from './management/ssh-key-assignment-routes.ts';
import { retentionRoutes } from './retention/routes.ts';
import { sshKeyRoutes } from './ssh-key/routes.ts';
import { organizationTagRoutes, reservedKeyRoutes } from './tag/organization-tag-routes.ts';
import { tagRoutes } from './tag/routes.ts';
import { teamProjectRoutes, teamWorkspaceRoutes } from './team-access/routes.ts';
import { toolVersionRoutes } from './tool-version/routes.ts';

export function workspaceRoutes(api: Api, services: WorkspaceServices): void {
  const { presenter } = services;
  workspaceResourceRoutes(api, services);
  moveRoutes(api, services.moves);
  lockRoutes(api, services.locks, presenter);
  consumerRoutes(api, services.consumers, presenter);
  recoveryRoutes(api, services.recovery);
  sshKeyRoutes(api, services.sshKeys);
  sshKeyAssignmentRoutes(api, services.sshKeyAssignment, presenter);
  teamWorkspaceRoutes(api, services.workspaceGrants);
  teamProjectRoutes(api, services.projectGrants);
  explanationRoutes(api, services.explanation);
  tagRoutes(api, services.tags);
  organizationTagRoutes(api, services.organizationTags, services.tags);
  reservedKeyRoutes(api, services.reservedTagKeys);
  retentionRoutes(api, services.retentionPolicies);
  toolVersionRoutes(api, services.releases);
}
