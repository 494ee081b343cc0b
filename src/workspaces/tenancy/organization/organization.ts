import type { Grant } from '../permissions/grants.ts';
import { type OrganizationPermission, organizationPermissions } from '../permissions/organization.ts';
import type { EngineKind } from './engine.ts';
import type { ExecutionMode } from './execution-mode.ts';

/** What is set on an organization and never searched, under the names it has on the wire. */
export interface OrganizationSettings {
  readonly 'aggregated-commit-status-enabled': boolean;
  readonly 'assessments-enforced': boolean;
  readonly 'collaborator-auth-policy': 'password' | 'two_factor_mandatory';
  readonly 'cost-estimation-enabled': boolean;
  readonly 'enforce-hyok': boolean;
  /** Whether the longest lifetimes of tokens have effect. */
  readonly 'max-ttl-enabled': boolean;
  readonly 'owners-team-saml-role-id': string | null;
  readonly 'registry-monorepo-support-enabled': boolean;
  readonly 'send-passing-statuses-for-untriggered-speculative-plans': boolean;
  /** Minutes. */
  readonly 'session-remember': number | null;
  readonly 'session-timeout': number | null;
  readonly 'speculative-plan-management-enabled': boolean;
  readonly 'stacks-enabled': boolean;
}

/** Those of a new organization. A null that a client sends brings one of them back. */
export const DEFAULT_SETTINGS: OrganizationSettings = {
  'aggregated-commit-status-enabled': true,
  'assessments-enforced': false,
  'collaborator-auth-policy': 'password',
  'cost-estimation-enabled': false,
  'enforce-hyok': false,
  'max-ttl-enabled': false,
  'owners-team-saml-role-id': null,
  'registry-monorepo-support-enabled': false,
  'send-passing-statuses-for-untriggered-speculative-plans': false,
  'session-remember': null,
  'session-timeout': null,
  'speculative-plan-management-enabled': true,
  'stacks-enabled': false,
};

/** The top of everything: teams, projects and workspaces belong to one. Flags are 0 or 1. */
export interface Organization {
  /** `org-…`; clients know the organization by its name (spec §2.1). */
  readonly id: string;
  readonly name: string;
  readonly email: string;
  readonly defaultProjectId: string;
  readonly defaultExecutionMode: ExecutionMode;
  readonly defaultAgentPoolId: string | null;
  /** Of workspaces that do not say. */
  readonly defaultEngine: EngineKind;
  /** Whether administrators of a workspace may force-delete it. */
  readonly allowForceDelete: number;
  /** Whether the tokens of users are taken; those of teams and of the organization are in any case. */
  readonly userTokensEnabled: number;
  readonly settings: OrganizationSettings;
  readonly workspaceCount: number;
  readonly createdAt: number;
}

/** An organization and what the actor may do with it. */
export interface OrganizationView extends Organization {
  /** How long data is kept: `type/id` of the policy. */
  readonly retentionPolicy?: string | null;
  readonly grant: Grant;
  readonly permissions: Readonly<Record<OrganizationPermission, boolean>>;
}

/** What somebody with that grant is shown. */
export function organizationView(organization: Organization, grant: Grant): OrganizationView {
  return { ...organization, grant, permissions: organizationPermissions(grant) };
}
