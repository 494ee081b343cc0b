import type { Api } from '../http/api.ts';
import type { Tenancy } from './create-tenancy.ts';
import { explanationRoutes } from './explanation/routes.ts';
import { invitationRoutes } from './invitation/routes.ts';
import { machineRoutes } from './machine/routes.ts';
import { MembershipResource } from './membership/resource.ts';
import { membershipRoutes } from './membership/routes.ts';
import { organizationRoutes } from './organization-lifecycle/routes.ts';
import { passkeyRoutes } from './passkey/routes.ts';
import { pipelineRoutes } from './pipeline/routes.ts';
import { projectBindingRoutes } from './project/binding-routes.ts';
import { projectRoutes } from './project/routes.ts';
import { providerRoutes } from './provider/routes.ts';
import { scimRoutes } from './scim/routes.ts';
import { sessionRoutes } from './session/routes.ts';
import { siteUserRoutes } from './site-user/routes.ts';
import { teamRoutes } from './team/routes.ts';
import { organizationTokenRoutes } from './token/organization-routes.ts';
import { teamTokenRoutes, tokenRoutes } from './token/routes.ts';
import { userRoutes } from './user/routes.ts';

export function tenancyRoutes(api: Api, tenancy: Tenancy): void {
  userRoutes(api, tenancy.users);
  siteUserRoutes(api, tenancy.siteUsers);
  sessionRoutes(api, tenancy.sessions);
  passkeyRoutes(api, tenancy.passkeys);
  tokenRoutes(api, tenancy.tokens, tenancy.hooks);
  teamTokenRoutes(api, tenancy.teamTokens);
  organizationTokenRoutes(api, tenancy.organizationTokens, tenancy.ttlPolicies);
  membershipRoutes(api, tenancy.memberships, tenancy.users);
  invitationRoutes(api, tenancy.invitationLinks, tenancy.address);
  organizationRoutes(api, tenancy);
  projectRoutes(api, tenancy);
  projectBindingRoutes(api, tenancy.projectBindings);
  teamRoutes(api, {
    ...{ teams: tenancy.teams, members: tenancy.teamMembers, users: tenancy.users },
    memberships: async (...asked) => (await tenancy.memberships.readable(...asked)).map(MembershipResource.document),
  });
  machineRoutes(api, tenancy.identities);
  pipelineRoutes(api, tenancy.pipelineIdentities, tenancy.pipelineExplainer);
  scimRoutes(api, tenancy.scim);
  providerRoutes(api, tenancy.providers, tenancy.providerChecks);
  explanationRoutes(api, tenancy.organizationExplanation);
}
