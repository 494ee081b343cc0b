import type { Api } from '../http/api.ts';
import type { Tenancy } from '../tenancy/index.ts';
import { oauthClientRoutes } from './connection/routes.ts';
import { oauthTokenRoutes } from './connection/token-routes.ts';
import type { Vcs } from './create-vcs.ts';

export function vcsRoutes(api: Api, vcs: Vcs, { projects }: Tenancy): void {
  oauthClientRoutes(api, vcs, projects);
  oauthTokenRoutes(api, vcs.oauthTokens);
}
