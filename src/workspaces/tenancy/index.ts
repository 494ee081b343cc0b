import type { Module } from '../platform/module.ts';
import { ExplanationResource } from './explanation/resource.ts';
import { InvitationLinkResource } from './invitation/resource.ts';
import { MachineIdentityResource } from './machine/resource.ts';
import { MembershipResource } from './membership/resource.ts';
import { baseline } from './migrations/baseline.ts';
import { invitationUses } from './migrations/invitation-uses.ts';
import { EntitlementSetResource } from './organization/entitlements.ts';
import { OrganizationResource } from './organization/resource.ts';
import { SubscriptionResource } from './organization/subscription.ts';
import { PasskeyResource } from './passkey/resource.ts';
import { PipelineExplanationResource } from './pipeline/explanation-resource.ts';
import { PipelineIdentityResource } from './pipeline/resource.ts';
import { ProjectResource } from './project/resource.ts';
import { ProviderCheckResource } from './provider/check-resource.ts';
import { sealedProviders } from './provider/providers.ts';
import { ProviderResource } from './provider/resource.ts';
import { ScimGroupResource, ScimSettingsResource } from './scim/admin-resources.ts';
import { SessionResource } from './session/resource.ts';
import { EffectiveTagBindingResource, TagBindingResource } from './tag-binding/resource.ts';
import { TeamResource } from './team/resource.ts';
import { TokenResource } from './token/resource.ts';
import { TtlPolicyResource } from './token/ttl-policy-resource.ts';
import { UserResource } from './user/resource.ts';

export type { Authentication } from './authentication/authentication.ts';
export { authenticationHook } from './authentication/authentication-hook.ts';
export { credentialNaming, credentialText, tokenIdOf } from './authentication/credential.ts';
export { admitByLink, linkedId, linkHook } from './authentication/link-admission.ts';
export { LOGIN_RATE, TOKEN_RATE } from './authentication/rate.ts';
export { PROVED_BUT } from './authentication/refusal.ts';
export { createTenancy, type Tenancy } from './create-tenancy.ts';
export { type Explanation, explanation } from './explanation/organization-explanation.ts';
export { ExplanationResource } from './explanation/resource.ts';
export { AboutWhom, subjectOf } from './explanation/routes.ts';
export type { SubjectQuery, Subjects } from './explanation/subjects.ts';
export type { Federation, FederationRules } from './federation/federation.ts';
export { matchesGroup } from './federation/mapping.ts';
export type { AgentAuthenticator, JobCredential, OtherTokens, TenancyHooks } from './hooks/hooks.ts';
export type { InvitationLimits } from './invitation/uses.ts';
export { discoveryService } from './login/discovery-service.ts';
export { acceptForms, fieldOf, sameOriginHook } from './login/form.ts';
export { type Html, html } from './login/html.ts';
export { ipRangesService } from './login/ip-ranges-service.ts';
export { pageHeaders, pageLayout } from './login/layout.ts';
export type { Logins } from './login/logins.ts';
export { oauthService } from './login/oauth-service.ts';
export { pageServices } from './login/page-service.ts';
export type { SessionTokens } from './login/session-tokens.ts';
export { nameUser, type PageSession } from './login/visitors.ts';
export { ENGINE_NAMES, ENGINES, type EngineKind } from './organization/engine.ts';
export { EXECUTION_MODES, type ExecutionMode } from './organization/execution-mode.ts';
export { checkName, takingName } from './organization/name.ts';
export type { ForkPlans } from './organization/organization.ts';
export type { Organization, Organizations, OrganizationView } from './organization/organizations.ts';
export { OrganizationResource } from './organization/resource.ts';
export { retentionRelationship } from './organization/retention-relationship.ts';
export { PasskeyRefusal, type Place } from './passkey/passkeys.ts';
export {
  CUSTOM_ACCESS,
  type CustomAccess,
  NO_WORKSPACE_ACCESS,
  RUNS,
  reaches,
  SENTINEL_MOCKS,
  STATE_VERSIONS,
  type StoredAccess,
  TEAM_PROJECT_LEVELS,
  TEAM_WORKSPACE_LEVELS,
  unite,
  VARIABLES,
  type WorkspaceAccess,
  workspaceAccessOf,
} from './permissions/access.ts';
export {
  type Actor,
  type AgentActor,
  type AgentHolder,
  assertSiteAdmin,
  grantIn,
  isPrincipal,
  type JobPhase,
  type JobRef,
  type JobStage,
  nameOfActor,
  noteSubject,
  principalIn,
  type RequestSubject,
  requirePermission,
  type TaskActor,
  type UserActor,
} from './permissions/actor.ts';
export { explainWorkspace, organizationWidePieces, type Piece } from './permissions/explain.ts';
export { accessTo, accessToEach, granteeOf, singleGrants } from './permissions/granted-access.ts';
export { type Grant, grantsOf, NO_ACCESS } from './permissions/grants.ts';
export { mayInOrganization, requireInOrganization } from './permissions/in-organization.ts';
export type { Machine, MachineAuthenticator } from './permissions/machine.ts';
export { type OrganizationPermission, organizationPermissions } from './permissions/organization.ts';
export { type PersonAccess, peopleAccess } from './permissions/people-access.ts';
export { type PrincipalAccess, principalAccess } from './permissions/principal-access.ts';
export {
  CUSTOM_ACCESS_IN_PROJECT,
  CUSTOM_PROJECT_ACCESS,
  type CustomAccessInProject,
  type CustomProjectAccess,
  PROJECT_SETTINGS,
  PROJECT_TEAMS,
  type ProjectPermission,
  projectAccessOf,
  type StoredProjectAccess,
  VARIABLE_SETS,
} from './permissions/project.ts';
export { permittedProjects } from './permissions/project-finder.ts';
export { purposeOf, type TokenPurpose } from './permissions/purpose.ts';
export { ACTOR, actorOf, knownActorOf } from './permissions/request-actor.ts';
export { seesSecretTeams } from './permissions/team.ts';
export {
  organizationWideAccess,
  showsWorkspace,
  WORKSPACE_PERMISSIONS,
  type WorkspacePermission,
  type WorkspacePermissions,
  type WorkspacePolicy,
  workspacePermissions,
} from './permissions/workspace.ts';
export type { ProjectBindings } from './project/bindings.ts';
export type { Projects, ProjectView } from './project/projects.ts';
export { ProjectResource } from './project/resource.ts';
export { holdProject, inheritedExecution } from './project/store.ts';
export { issuerFacts } from './provider/issuer-facts.ts';
export type { Providers, ReadyProvider } from './provider/providers.ts';
export { scimService } from './scim/service.ts';
export { askAgain } from './session/recent-hook.ts';
export type { SessionTimes } from './session/sessions.ts';
export {
  type BindingEntries,
  BindingEntry,
  checkBindingCount,
  type KeyValue,
  keyValues,
} from './tag-binding/key-value.ts';
export { EffectiveTagBindingResource, TagBindingResource } from './tag-binding/resource.ts';
export { teamMemberIds } from './team/member-store.ts';
export { TeamResource } from './team/resource.ts';
export type { Teams, TeamView } from './team/teams.ts';
export { tenancyRoutes } from './tenancy-routes.ts';
export { userResource } from './user/resource.ts';
export { serviceAccountsAmong, userIdsByNames } from './user/store.ts';
export type { Users } from './user/users.ts';

export const tenancy: Module = {
  migrations: [baseline, invitationUses],
  sealedColumns: [sealedProviders],
  resources: [
    ...[OrganizationResource, EntitlementSetResource, SubscriptionResource],
    ...[UserResource, TeamResource, MembershipResource, ExplanationResource],
    ...[MachineIdentityResource, PipelineIdentityResource],
    ...[ScimSettingsResource, ScimGroupResource, ProviderResource, ProviderCheckResource, PipelineExplanationResource],
    ...[TokenResource, SessionResource, InvitationLinkResource],
    ...[PasskeyResource, TtlPolicyResource, ProjectResource, TagBindingResource, EffectiveTagBindingResource],
  ],
};
