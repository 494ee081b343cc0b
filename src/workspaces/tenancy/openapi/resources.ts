import { Type } from 'typebox';
import * as is from '../../openapi/resource.ts';
import { UNLIMITED } from '../organization/document.ts';
import { ENGINES } from '../organization/engine.ts';
import { EXECUTION_MODES } from '../organization/execution-mode.ts';
import { FORK_PLANS } from '../organization/organization.ts';
import { NO_ACCESS } from '../permissions/grants.ts';
import { organizationPermissions } from '../permissions/organization.ts';

const grant = { organizationId: '', teamIds: [], owner: false, access: NO_ACCESS };

const limits = [
  'policy-limit',
  'policy-mandatory-enforcement-limit',
  'policy-set-limit',
  'run-task-limit',
  'run-task-mandatory-enforcement-limit',
  'run-task-workspace-limit',
  'user-limit',
  'versioned-policy-set-limit',
];
const entitlements = [
  ...['agents', 'audit-logging', 'configuration-designer', 'cost-estimation', 'global-run-tasks', 'infragraph'],
  ...['infragraph-with-nrtu', 'module-tests-generation', 'operations', 'policy-enforcement'],
  ...['private-module-registry', 'private-policy-agents', 'private-run-tasks', 'private-vcs', 'run-tasks'],
  ...['self-serve-billing', 'sentinel', 'sso', 'state-storage', 'teams', 'usage-reporting', 'vcs-integrations'],
  ...['waypoint-actions', 'waypoint-templates-and-addons'],
];

/** Schemas of the resources of tenancy, by type. */
export const TENANCY_RESOURCES = {
  organizations: is.resource(
    'organizations',
    {
      ...is.flags([
        ...['aggregated-commit-status-enabled', 'allow-force-delete-workspaces', 'assessments-enforced'],
        ...['cost-estimation-enabled', 'enforce-hyok', 'fair-run-queuing-enabled', 'is-unified', 'max-ttl-enabled'],
        ...['plan-expired', 'plan-is-enterprise', 'plan-is-trial', 'plan-merge-result'],
        'recoverable-items-enabled',
        ...['pull-request-comments', 'registry-monorepo-support-enabled', 'saml-enabled'],
        'speculative-plan-management-enabled',
        ...['send-passing-statuses-for-untriggered-speculative-plans', 'stacks-enabled', 'two-factor-conformant'],
        'user-tokens-enabled',
      ]).properties,
      'collaborator-auth-policy': Type.Enum(['password', 'two_factor_mandatory']),
      'created-at': is.time,
      'default-engine': Type.Enum([...ENGINES]),
      'default-execution-mode': Type.Enum([...EXECUTION_MODES]),
      email: is.text,
      'external-id': is.text,
      'fork-plans': Type.Enum([...FORK_PLANS]),
      name: is.text,
      'owners-team-saml-role-id': is.textOrNull,
      permissions: is.flags(Object.keys(organizationPermissions(grant))),
      'plan-expires-at': is.timeOrNull,
      'remaining-testable-count': is.integer,
      'session-remember': is.integerOrNull,
      'session-timeout': is.integerOrNull,
      'trial-expires-at': is.timeOrNull,
    },
    {
      'authentication-token': is.linkOnly,
      'data-retention-policy': Type.Optional(is.toOne()),
      'default-agent-pool': is.toOne('agent-pools'),
      'default-project': is.toOne('projects'),
      'entitlement-set': is.linkOnly,
      'oauth-tokens': is.linkOnly,
    },
  ),
  'entitlement-sets': is.resource('entitlement-sets', {
    ...is.flags(entitlements).properties,
    ...Object.fromEntries(limits.map((name) => [name, is.integerOrNull])),
  }),
  subscriptions: is.resource(
    'subscriptions',
    {
      ...is.flags(['is-active', 'is-public-free-tier', 'is-self-serve-trial']).properties,
      'start-at': is.time,
      'end-at': Type.Null(),
      ...Object.fromEntries(Object.keys(UNLIMITED).map((name) => [name, Type.Null()])),
    },
    { organization: is.toOne('organizations') },
  ),
  'organization-capacity': is.resource('organization-capacity', { pending: is.integer, running: is.integer }),
};
