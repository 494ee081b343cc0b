import { isoTime } from '../../../lib/clock.ts';
import { linked, type Resource, toOne } from '../../jsonapi/document.ts';
import type { OrganizationView } from './organization.ts';
import { retentionRelationship } from './retention-relationship.ts';

/** What no installation of ours has: single sign-on, plans to pay for, trials. */
const NOT_HERE = {
  'is-unified': false,
  'fair-run-queuing-enabled': false,
  'plan-expired': false,
  'plan-expires-at': null,
  'plan-is-trial': false,
  'plan-is-enterprise': true,
  'recoverable-items-enabled': false,
  // How many workspaces may have tests; official clients want more than one.
  'remaining-testable-count': 5,
  'saml-enabled': false,
  'trial-expires-at': null,
};

/** Clients know an organization by its name: that is its id on the wire, as in the original. */
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
      'user-tokens-enabled': organization.userTokensEnabled === 1,
      // Nobody has a second factor here.
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

/** Without one there is no such relationship at all: clients ask for the policy when there is one. */
function retentionPolicy({ name, retentionPolicy: policy }: OrganizationView) {
  if (!policy) return {};
  const [type = '', id = ''] = policy.split('/');
  return { 'data-retention-policy': retentionRelationship({ type: 'organizations', id: name }, { type, id }) };
}

/**
 * What an installation offers.
 * @param executes without that, official command lines run everything on their own side
 */
export function entitlementSetResource(organization: OrganizationView, executes: boolean): Resource {
  return {
    id: organization.id,
    type: 'entitlement-sets',
    attributes: { ...ENTITLEMENTS, operations: executes },
    links: { self: `/api/v2/organizations/${organization.name}/entitlement-set` },
  };
}

/** The subscription of an organization, for clients of the original: nothing is paid for here, and nothing ends. */
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

/** Bounds that a plan of the original sets. Bounds of this server are in docs/reference/limits.md. */
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
  'private-vcs': false,
  'run-task-limit': null,
  'run-task-mandatory-enforcement-limit': null,
  'run-task-workspace-limit': null,
  'run-tasks': true,
  'self-serve-billing': false,
  sentinel: false,
  sso: false,
  'state-storage': true,
  teams: true,
  'usage-reporting': false,
  'user-limit': null,
  'vcs-integrations': true,
  'versioned-policy-set-limit': null,
  'waypoint-actions': false,
  'waypoint-templates-and-addons': false,
};
