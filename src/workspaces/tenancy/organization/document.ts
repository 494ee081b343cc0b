import { isoTime } from '../../../lib/clock.ts';
import { linked, type Resource, toOne } from '../../jsonapi/document.ts';
import type { OrganizationView } from './organization.ts';
import { retentionRelationship } from './retention-relationship.ts';

/** Features of HCP Terraform that do not exist here: SAML single sign-on, paid plans, trials. */
const NOT_HERE = {
  'is-unified': false,
  'fair-run-queuing-enabled': false,
  'plan-expired': false,
  'plan-expires-at': null,
  'plan-is-trial': false,
  'plan-is-enterprise': true,
  // Number of further workspaces that may have tests. Official clients require more than one.
  'remaining-testable-count': 5,
  'saml-enabled': false,
  'trial-expires-at': null,
};

/**
 * Converts an organization. Clients know an organization by its name, so the name is its id in the API, as in HCP
 * Terraform.
 */
export function organizationResource(organization: OrganizationView): Resource {
  const { settings } = organization;
  const self = `/api/v2/organizations/${organization.name}`;
  return {
    id: organization.name,
    type: 'organizations',
    attributes: {
      ...NOT_HERE,
      ...settings,
      name: organization.name,
      'external-id': organization.id,
      email: organization.email,
      'created-at': isoTime(organization.createdAt),
      'default-engine': organization.defaultEngine,
      'default-execution-mode': organization.defaultExecutionMode,
      'allow-force-delete-workspaces': organization.allowForceDelete === 1,
      'recoverable-items-enabled': organization.recoversWorkspaces,
      'user-tokens-enabled': organization.userTokensEnabled === 1,
      // There is no two-factor authentication.
      'two-factor-conformant': settings['collaborator-auth-policy'] === 'password',
      permissions: organization.permissions,
    },
    relationships: {
      'authentication-token': linked(`${self}/authentication-token`),
      'default-agent-pool': toOne('agent-pools', organization.defaultAgentPoolId),
      'default-project': toOne('projects', organization.defaultProjectId),
      'entitlement-set': linked(`${self}/entitlement-set`),
      'oauth-tokens': linked(`${self}/oauth-tokens`),
      ...retentionPolicy(organization),
    },
    links: { self },
  };
}

/** Omits the relationship if there is no policy: clients load the policy whenever the relationship exists. */
function retentionPolicy({ name, retentionPolicy: policy }: OrganizationView) {
  if (!policy) return {};
  const [type = '', id = ''] = policy.split('/');
  return { 'data-retention-policy': retentionRelationship({ type: 'organizations', id: name }, { type, id }) };
}

/**
 * Returns the features that the server offers.
 * @param executes whether the server executes runs. If false, `tofu` and `terraform` execute everything locally.
 */
export function entitlementSetResource(organization: OrganizationView, executes: boolean): Resource {
  return {
    id: organization.id,
    type: 'entitlement-sets',
    attributes: { ...ENTITLEMENTS, operations: executes },
    links: { self: `/api/v2/organizations/${organization.name}/entitlement-set` },
  };
}

/** Returns the subscription of an organization, for clients of HCP Terraform. It is free and never expires. */
export function subscriptionResource({ id, name, createdAt }: OrganizationView): Resource {
  return {
    id: id.replace('org-', 'sub-'),
    type: 'subscriptions',
    attributes: {
      'is-active': true,
      'is-public-free-tier': false,
      'is-self-serve-trial': false,
      'start-at': isoTime(createdAt),
      'end-at': null,
      ...UNLIMITED,
    },
    relationships: { organization: toOne('organizations', name) },
    links: { self: `/api/v2/organizations/${name}/subscription` },
  };
}

/** Limits of HCP Terraform's plans. The limits of this server are in docs/reference/limits.md. */
export const UNLIMITED = {
  'agents-ceiling': null,
  'contract-apply-limit': null,
  'contract-managed-resources-limit': null,
  'contract-user-limit': null,
  'policy-limit': null,
  'policy-mandatory-enforcement-limit': null,
  'policy-set-limit': null,
  'run-task-limit': null,
  'run-task-mandatory-enforcement-limit': null,
  'run-task-workspace-limit': null,
  'runs-ceiling': null,
  'versioned-policy-set-limit': null,
};

const ENTITLEMENTS = {
  agents: true,
  'audit-logging': true,
  'configuration-designer': false,
  'cost-estimation': false,
  'global-run-tasks': true,
  infragraph: false,
  'infragraph-with-nrtu': false,
  'module-tests-generation': false,
  'policy-enforcement': false,
  'policy-limit': null,
  'policy-mandatory-enforcement-limit': null,
  'policy-set-limit': null,
  'private-module-registry': false,
  'private-policy-agents': false,
  'private-run-tasks': false,
  // Agents forward requests to a VCS provider.
  'private-vcs': true,
  'run-task-limit': null,
  'run-task-mandatory-enforcement-limit': null,
  'run-task-workspace-limit': null,
  'run-tasks': true,
  'self-serve-billing': false,
  sentinel: false,
  sso: true,
  'state-storage': true,
  teams: true,
  'usage-reporting': false,
  'user-limit': null,
  'vcs-integrations': true,
  'versioned-policy-set-limit': null,
  'waypoint-actions': false,
  'waypoint-templates-and-addons': false,
};
