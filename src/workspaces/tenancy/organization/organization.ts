import type { Grant } from '../permissions/grants.ts';
import { type OrganizationPermission, organizationPermissions } from '../permissions/organization.ts';
import type { EngineKind } from './engine.ts';
import type { ExecutionMode } from './execution-mode.ts';

/**
 * Whether pull requests from forks are planned. never: they are not. approved: a user who may queue runs approves each
 * commit. A plan runs the code of its author.
 */
export const FORK_PLANS = ['never', 'approved'] as const;
export type ForkPlans = (typeof FORK_PLANS)[number];

/** Settings of an organization that no query filters by, named as in the API. */
export interface OrganizationSettings {
  readonly 'aggregated-commit-status-enabled': boolean;
  readonly 'assessments-enforced': boolean;
  readonly 'collaborator-auth-policy': 'password' | 'two_factor_mandatory';
  readonly 'cost-estimation-enabled': boolean;
  readonly 'enforce-hyok': boolean;
  readonly 'fork-plans': ForkPlans;
  /** Whether the maximum lifetimes of tokens apply. */
  readonly 'max-ttl-enabled': boolean;
  readonly 'owners-team-saml-role-id': string | null;
  /** Whether plans of pull requests take the merge into the target branch, where the provider makes it. */
  readonly 'plan-merge-result': boolean;
  /** Whether pull requests get a comment with the changes of their plans. */
  readonly 'pull-request-comments': boolean;
  readonly 'registry-monorepo-support-enabled': boolean;
  readonly 'send-passing-statuses-for-untriggered-speculative-plans': boolean;
  /** Duration in minutes, like the next setting. It is stored and returned, for clients of HCP Terraform. */
  readonly 'session-remember': number | null;
  readonly 'session-timeout': number | null;
  readonly 'speculative-plan-management-enabled': boolean;
  readonly 'stacks-enabled': boolean;
}

/** Settings of a new organization. A null from a client restores the default. */
export const DEFAULT_SETTINGS: OrganizationSettings = {
  'aggregated-commit-status-enabled': true,
  'assessments-enforced': false,
  'collaborator-auth-policy': 'password',
  'cost-estimation-enabled': false,
  'enforce-hyok': false,
  'fork-plans': 'never',
  'max-ttl-enabled': false,
  'owners-team-saml-role-id': null,
  'plan-merge-result': false,
  'pull-request-comments': false,
  'registry-monorepo-support-enabled': false,
  'send-passing-statuses-for-untriggered-speculative-plans': false,
  'session-remember': null,
  'session-timeout': null,
  'speculative-plan-management-enabled': true,
  'stacks-enabled': false,
};

/** Tenant: contains teams, projects and workspaces. Flags are 0 or 1. */
export interface Organization {
  /** `org-…`. Clients identify the organization by its name (spec §2.1). */
  readonly id: string;
  readonly name: string;
  readonly email: string;
  readonly defaultProjectId: string;
  readonly defaultExecutionMode: ExecutionMode;
  readonly defaultAgentPoolId: string | null;
  /** Engine of workspaces that do not set one. */
  readonly defaultEngine: EngineKind;
  /** Whether administrators of a workspace may force-delete it. */
  readonly allowForceDelete: number;
  /** Whether user tokens are accepted. Team and organization tokens always are. */
  readonly userTokensEnabled: number;
  readonly settings: OrganizationSettings;
  readonly workspaceCount: number;
  readonly createdAt: number;
}

/** Organization with the actor's permissions on it. */
export interface OrganizationView extends Organization {
  /** Data retention policy, as `type/id`. */
  readonly retentionPolicy?: string | null;
  /** Whether deleted workspaces can be restored for some time. */
  readonly recoversWorkspaces: boolean;
  readonly grant: Grant;
  readonly permissions: Readonly<Record<OrganizationPermission, boolean>>;
}

/**
 * Returns the organization with the permissions that the grant gives.
 * @param recoversWorkspaces whether deleted workspaces can be restored for some time
 */
export function organizationView(
  organization: Organization,
  grant: Grant,
  recoversWorkspaces: boolean,
): OrganizationView {
  return { ...organization, grant, recoversWorkspaces, permissions: organizationPermissions(grant) };
}
