import { Type } from 'typebox';
import { nullable, nullableEnum } from '../../jsonapi/schema.ts';
import * as is from '../../openapi/resource.ts';
import {
  CUSTOM_ACCESS,
  CUSTOM_ACCESS_IN_PROJECT,
  ENGINES,
  EXECUTION_MODES,
  NO_WORKSPACE_ACCESS,
  RUNS,
  SENTINEL_MOCKS,
  STATE_VERSIONS,
  TEAM_PROJECT_LEVELS,
  TEAM_WORKSPACE_LEVELS,
  VARIABLES,
  workspacePermissions,
} from '../../tenancy/index.ts';
import { FLAGS, NUMBERS, POLICY_TYPES } from '../retention/policy.ts';
import { camelCase } from '../retention/rules.ts';

const policy = { allowsDestroyPlan: false, allowsForceDelete: false };

const steps = {
  runs: Type.Enum([...RUNS]),
  variables: Type.Enum([...VARIABLES]),
  'state-versions': Type.Enum([...STATE_VERSIONS]),
  'sentinel-mocks': Type.Enum([...SENTINEL_MOCKS]),
};
const switches = (access: object) => Object.keys(access).filter((name) => !(name in steps));
const onWire = (name: string) => (name === 'locking' ? 'workspace-locking' : name);

const vcsRepo = Type.Object({
  branch: is.text,
  'display-identifier': is.textOrNull,
  'github-app-installation-id': is.textOrNull,
  identifier: is.textOrNull,
  'ingress-submodules': is.flag,
  'oauth-token-id': is.textOrNull,
  'repository-http-url': Type.Optional(is.textOrNull),
  'service-provider': is.textOrNull,
  tags: is.flag,
  'tags-regex': is.textOrNull,
  'webhook-url': is.textOrNull,
});

const workspaces = is.resource(
  'workspaces',
  {
    ...is.flags([
      ...['allow-destroy-plan', 'assessments-enabled', 'auto-apply', 'auto-apply-run-trigger'],
      ...['can-queue-destroy-plan', 'file-triggers-enabled', 'global-remote-state', 'inherits-project-auto-destroy'],
      ...['locked', 'operations', 'project-remote-state', 'queue-all-runs', 'speculative-enabled'],
      'structured-run-output-enabled',
    ]).properties,
    actions: is.flags(['is-destroyable']),
    'apply-duration-average': is.integerOrNull,
    'auto-destroy-activity-duration': is.textOrNull,
    'auto-destroy-at': is.timeOrNull,
    'auto-destroy-explanation': is.textOrNull,
    'auto-destroy-next-attempt-at': is.timeOrNull,
    'auto-destroy-run-id': is.textOrNull,
    'auto-destroy-source': is.textOrNull,
    'auto-destroy-status': is.textOrNull,
    'created-at': is.time,
    description: is.textOrNull,
    'effective-run-data-retention-desc': is.textOrNull,
    'effective-state-version-retention-desc': is.textOrNull,
    engine: nullableEnum(ENGINES),
    'engine-version': is.text,
    environment: is.text,
    'execution-mode': Type.Enum([...EXECUTION_MODES]),
    'last-assessment-result-at': is.timeOrNull,
    'latest-change-at': is.time,
    'locked-at': is.timeOrNull,
    'locked-by-name': is.textOrNull,
    'locked-reason': is.textOrNull,
    'migration-environment': is.text,
    name: is.text,
    'oauth-client-name': is.textOrNull,
    permissions: is.flags(Object.keys(workspacePermissions(NO_WORKSPACE_ACCESS, policy))),
    'plan-duration-average': is.integerOrNull,
    'policy-check-failures': is.integerOrNull,
    'resource-count': is.integer,
    'run-failures': is.integerOrNull,
    'setting-overwrites': is.flags(['execution-mode', 'agent-pool']),
    source: is.text,
    'source-name': is.textOrNull,
    'source-url': is.textOrNull,
    'tag-names': is.texts,
    'terraform-version': is.text,
    'trigger-patterns': is.texts,
    'trigger-prefixes': is.texts,
    'updated-at': is.time,
    'vcs-repo': nullable(vcsRepo),
    'vcs-repo-identifier': is.textOrNull,
    'working-directory': is.textOrNull,
    'workspace-kpis-runs-count': is.integerOrNull,
  },
  {
    'agent-pool': is.toOne('agent-pools'),
    'current-assessment-result': is.toOne('assessment-results'),
    'current-configuration-version': is.toOne('configuration-versions'),
    'current-run': is.toOne('runs'),
    'current-state-version': is.toOne('state-versions'),
    'data-retention-policy': Type.Optional(is.toOne(...POLICY_TYPES)),
    'effective-tag-bindings': is.linkedToMany('effective-tag-bindings'),
    'latest-run': is.toOne('runs'),
    'locked-by': is.toOne(),
    organization: is.toOne('organizations'),
    outputs: is.toMany('workspace-outputs'),
    project: is.toOne('projects'),
    readme: is.toOne('workspace-readme'),
    'remote-state-consumers': is.linkOnly,
    'ssh-key': is.toOne('ssh-keys'),
    'tag-bindings': is.linkOnly,
    vars: is.toMany('vars'),
  },
);

const both = (names: readonly string[]) => names.flatMap((name) => [name, camelCase(name)]);
/** Each attribute has two spellings. Unset attributes are absent. */
const retention = {
  ...Object.fromEntries(both(NUMBERS).map((name) => [name, Type.Optional(is.integer)])),
  ...Object.fromEntries(both(FLAGS).map((name) => [name, Type.Optional(is.flag)])),
};

/** Workspaces, their settings, and access to them, by resource type. */
export const WORKSPACE_RESOURCES = {
  workspaces,
  ...Object.fromEntries(
    POLICY_TYPES.map((type) => [
      type,
      is.resource(type, retention, { target: is.toOne('workspaces', 'organizations') }),
    ]),
  ),
  'team-workspaces': is.resource(
    'team-workspaces',
    {
      access: Type.Enum([...TEAM_WORKSPACE_LEVELS]),
      ...steps,
      ...is.flags(switches(CUSTOM_ACCESS).map(onWire)).properties,
    },
    { team: is.toOne('teams'), workspace: is.toOne('workspaces') },
  ),
  'team-projects': is.resource(
    'team-projects',
    {
      access: Type.Enum([...TEAM_PROJECT_LEVELS]),
      'project-access': Type.Object({
        settings: Type.Enum(['none', 'read', 'update', 'delete']),
        teams: Type.Enum(['none', 'read', 'manage']),
        'variable-sets': Type.Enum(['none', 'read', 'write']),
      }),
      'workspace-access': Type.Object({ ...steps, ...is.flags(switches(CUSTOM_ACCESS_IN_PROJECT)).properties }),
    },
    { team: is.toOne('teams'), project: is.toOne('projects') },
  ),
};
