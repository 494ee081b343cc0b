import type { Api } from '../http/api.ts';
import type { Tenancy } from '../tenancy/index.ts';
import { activityRoutes } from './activity/routes.ts';
import { forkRoutes } from './approval/routes.ts';
import { browseRoutes } from './browse/routes.ts';
import { githubAppRoutes } from './connection/app/routes.ts';
import { oauthClientRoutes } from './connection/routes.ts';
import { oauthTokenRoutes } from './connection/token-routes.ts';
import type { Vcs } from './create-vcs.ts';
import { vcsExplanationRoutes } from './explanation/routes.ts';

export function vcsRoutes(api: Api, vcs: Vcs, { projects }: Tenancy): void {
  oauthClientRoutes(api, vcs, projects);
  oauthTokenRoutes(api, vcs.oauthTokens);
  githubAppRoutes(api, vcs.organizationApps, vcs.installations, vcs.manualChecks);
  browseRoutes(api, vcs.browse);
  activityRoutes(api, vcs.activity, vcs.eventPages, vcs.clock);
  forkRoutes(api, vcs.forkApprovals);
  vcsExplanationRoutes(api, vcs.explanations, vcs.previews, vcs.browse);
}
