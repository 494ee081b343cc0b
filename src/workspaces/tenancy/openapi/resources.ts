import { Type } from 'typebox';
import { STATUSES } from '../../../lib/finding/finding.ts';
import * as is from '../../openapi/resource.ts';
import { UNLIMITED } from '../organization/document.ts';
import { ENGINES } from '../organization/engine.ts';
import { EXECUTION_MODES } from '../organization/execution-mode.ts';
import { FORK_PLANS } from '../organization/organization.ts';
import { ACCESS_FLAGS, NO_ACCESS } from '../permissions/grants.ts';
import { organizationPermissions } from '../permissions/organization.ts';
import { NO_PROJECT_ACCESS, projectPermissions } from '../permissions/project.ts';
import { teamPermissions } from '../permissions/team.ts';

const grant = { organizationId: '', teamIds: [], owner: false, access: NO_ACCESS };
const team = { id: '', owners: false, visibility: 'secret', allowsMemberTokens: false };

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

const projects = is.resource(
  'projects',
  {
    name: is.text,
    description: is.textOrNull,
    'created-at': is.time,
    'workspace-count': is.integer,
    'team-count': is.integer,
    'is-unified': is.flag,
    'auto-destroy-activity-duration': is.textOrNull,
    'default-execution-mode': Type.Enum([...EXECUTION_MODES]),
    'setting-overwrites': is.flags(['default-execution-mode', 'default-agent-pool']),
    permissions: is.flags(Object.keys(projectPermissions(NO_PROJECT_ACCESS))),
  },
  {
    organization: is.toOne('organizations'),
    'default-agent-pool': is.toOne('agent-pools'),
    'tag-bindings': is.linkOnly,
    'effective-tag-bindings': is.linkedToMany('effective-tag-bindings'),
  },
);

const verdicts = Type.Array(
  Type.Object({ check: is.text, outcome: Type.Enum(['passed', 'refused']), expected: is.text, actual: is.text }),
);

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
  teams: is.resource(
    'teams',
    {
      name: is.text,
      visibility: Type.Enum(['secret', 'organization']),
      'users-count': is.integer,
      'is-unified': is.flag,
      'sso-team-id': is.textOrNull,
      // Present only while SCIM provisioning is on.
      'scim-linked': Type.Optional(is.flag),
      'scim-group-name': Type.Optional(is.textOrNull),
      'scim-sync-paused': Type.Optional(is.flag),
      'scim-updated-at': Type.Optional(is.timeOrNull),
      'allow-member-token-management': is.flag,
      'organization-access': is.flags(ACCESS_FLAGS),
      permissions: is.flags(Object.keys(teamPermissions(grant, team, false))),
    },
    {
      organization: is.toOne('organizations'),
      users: Type.Optional(is.toMany('users')),
      'organization-memberships': Type.Optional(is.toMany('organization-memberships')),
    },
  ),
  'pipeline-identities': is.resource(
    'pipeline-identities',
    {
      description: is.text,
      issuer: is.text,
      'jwks-url': is.textOrNull,
      audiences: is.texts,
      // Allowed values, by name or JSON pointer of the claim.
      claims: Type.Record(Type.String(), Type.Array(Type.Unknown())),
      'token-ttl': is.integer,
      'created-at': is.time,
      'last-used-at': is.timeOrNull,
    },
    { team: is.toOne('teams') },
  ),
  'sign-in-providers': is.resource(
    'sign-in-providers',
    {
      name: is.text,
      issuer: is.text,
      'client-id': is.text,
      'has-client-secret': is.flag,
      scopes: is.texts,
      claims: Type.Object({ name: is.text, email: is.text, groups: is.text }),
      create: is.text,
      'sso-team-ids': is.flag,
      teams: Type.Array(Type.Object({ group: is.text, team: is.text })),
      'certificate-authorities': is.textOrNull,
      'callback-url': is.text,
      'logout-url': is.text,
      'created-at': is.time,
      'updated-at': is.time,
    },
    { organization: is.toOne('organizations') },
  ),
  'sign-in-provider-checks': is.resource(
    'sign-in-provider-checks',
    {
      status: Type.Enum([...STATUSES]),
      verdicts: Type.Array(
        Type.Object({
          check: is.text,
          status: Type.Enum([...STATUSES]),
          found: is.text,
          // Subject of the finding: a URL or names.
          detail: is.textOrNull,
          // Recommended action.
          advice: is.textOrNull,
        }),
      ),
    },
    { organization: is.toOne('organizations') },
  ),
  'pipeline-explanations': is.resource(
    'pipeline-explanations',
    {
      admitted: is.flag,
      algorithm: is.textOrNull,
      'key-id': is.textOrNull,
      claims: Type.Unsafe<unknown>({ type: ['object', 'null'] }),
      verdicts,
      identities: Type.Array(Type.Object({ id: is.text, description: is.text, admitted: is.flag, verdicts })),
    },
    { team: is.toOne('teams') },
  ),
  projects,
  'tag-bindings': is.resource('tag-bindings', { key: is.text, value: is.text, 'created-at': is.time }),
  'effective-tag-bindings': Type.Object({
    ...is.resource('effective-tag-bindings', { key: is.text, value: is.text }).properties,
    // Present only if it is included.
    id: Type.Optional(is.text),
    // Present only for tags that are inherited from the project.
    relationships: Type.Optional(Type.Object({ 'inherited-from': is.toOne('projects') })),
  }),
};
