import { ACCESS_FLAGS } from '../../../../src/workspaces/tenancy/permissions/grants.ts';
import { FLAGS, NUMBERS } from '../../../../src/workspaces/workspace/retention/policy.ts';
import { privateKey, type Values } from './surface/index.ts';

// biome-ignore lint/suspicious/noExplicitAny: a test looks into whatever came back
type Data = any;

/** What can be written of a resource, and how it is read back. */
export interface Written {
  /** Attributes with values, several where some exclude others: each must differ from what was there before at least once. */
  readonly sets: readonly (object | ((values: Values) => object))[];
  /** What is never answered, or under another name, and why. Without a function it is not looked for. */
  readonly elsewhere?: Readonly<Record<string, { readonly why: string; readonly read?: (data: Data) => unknown }>>;
  /** Where it is shown, when it has no link to itself; undefined when the answer is all there is. */
  readonly show?: string;
  /** There is one of its kind: a second one would be refused, or take its place. */
  readonly isOnlyOne?: true;
  /** A PATCH must say what the surface does, too. */
  readonly isWhole?: true;
  /** The agent of the pool writes it. */
  readonly byAgent?: true;
}

const secret = { why: 'a secret: it is sealed' };
const same = (names: readonly string[], value: unknown) => Object.fromEntries(names.map((name) => [name, value]));
const camelCase = (name: string) => name.replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase());

const ORGANIZATION_FLAGS = [
  ...['aggregated-commit-status-enabled', 'allow-force-delete-workspaces', 'assessments-enforced'],
  ...['cost-estimation-enabled', 'enforce-hyok', 'max-ttl-enabled', 'registry-monorepo-support-enabled'],
  ...['send-passing-statuses-for-untriggered-speculative-plans', 'speculative-plan-management-enabled'],
  'stacks-enabled',
];
const ORGANIZATION = {
  email: 'written@example.com',
  'collaborator-auth-policy': 'two_factor_mandatory',
  'default-execution-mode': 'local',
  'owners-team-saml-role-id': 'saml-1',
  'session-remember': 7,
  'session-timeout': 8,
};
const organization: Written = {
  sets: [
    ({ username }) => ({ name: `${username}-1`, ...ORGANIZATION, ...same(ORGANIZATION_FLAGS, true) }),
    ({ username }) => ({ name: `${username}-2`, ...same(ORGANIZATION_FLAGS, false) }),
  ],
  elsewhere: { 'user-tokens-enabled': { why: 'false shuts out whoever writes it: test of tokens' } },
};

const project: Written = {
  sets: [
    {
      name: 'Written',
      description: 'Ours',
      'auto-destroy-activity-duration': '3d',
      'default-execution-mode': 'local',
      'setting-overwrites': { 'default-execution-mode': true, 'default-agent-pool': true },
    },
    ({ agent_pool_id: pool }) => ({
      name: 'Written too',
      'default-execution-mode': 'agent',
      'default-agent-pool-id': pool,
    }),
  ],
  elsewhere: {
    'default-agent-pool-id': {
      why: 'a relationship',
      read: ({ relationships }) => relationships['default-agent-pool'].data?.id,
    },
  },
};

const team: Written = {
  sets: [
    {
      name: 'written',
      visibility: 'secret',
      'sso-team-id': 'sso-1',
      'allow-member-token-management': false,
      'organization-access': same(ACCESS_FLAGS, true),
    },
    { name: 'written too', visibility: 'organization' },
  ],
};

const DETAILS = {
  runs: 'apply',
  variables: 'write',
  'state-versions': 'write',
  'sentinel-mocks': 'read',
  'run-tasks': true,
  'policy-overrides': true,
};
const workspaceAccess: Written = { sets: [{ access: 'custom', ...DETAILS, 'workspace-locking': true }] };
const projectAccess: Written = {
  sets: [
    {
      access: 'custom',
      'project-access': { settings: 'update', teams: 'manage', 'variable-sets': 'write' },
      'workspace-access': { ...DETAILS, ...same(['locking', 'create', 'move', 'delete'], true) },
    },
  ],
};

const workspace: Written = {
  sets: [
    ({ oauth_token_id: token }) => ({
      name: 'written-1',
      'allow-destroy-plan': false,
      'assessments-enabled': true,
      'auto-apply': true,
      'auto-apply-run-trigger': true,
      'auto-destroy-activity-duration': '3d',
      description: 'All of it',
      'engine-version': '1.5.7',
      'execution-mode': 'local',
      'file-triggers-enabled': false,
      'global-remote-state': true,
      'inherits-project-auto-destroy': false,
      'migration-environment': 'staging',
      'queue-all-runs': true,
      'setting-overwrites': { 'execution-mode': true, 'agent-pool': true },
      'source-name': 'A client',
      'source-url': 'https://client.example.com',
      'speculative-enabled': false,
      'structured-run-output-enabled': false,
      'trigger-prefixes': ['/modules'],
      'vcs-repo': {
        ...{ identifier: 'acme/infra', 'oauth-token-id': token, branch: 'main', 'ingress-submodules': true },
      },
      'working-directory': 'network',
    }),
    ({ agent_pool_id: pool }) => ({
      name: 'written-2',
      'agent-pool-id': pool,
      'execution-mode': 'agent',
      'auto-destroy-at': '2100-01-01T00:00:00.000Z',
      'file-triggers-enabled': true,
      'global-remote-state': false,
      'project-remote-state': true,
      'terraform-version': '1.5.6',
      'trigger-patterns': ['/modules/**/*'],
    }),
    { name: 'written-3', operations: false },
    { name: 'written-4', operations: true },
  ],
  elsewhere: {
    'agent-pool-id': { why: 'a relationship', read: ({ relationships }) => relationships['agent-pool'].data?.id },
  },
};

const sshKey: Written = { sets: [{ name: 'written' }], elsewhere: { value: secret } };
const agentPool: Written = { sets: [{ name: 'written', 'organization-scoped': false }] };
const VCS_SECRETS = Object.fromEntries(['secret', 'private-key', 'oauth-token-string'].map((name) => [name, secret]));
const VCS = { name: 'Written', key: 'key-1', 'rsa-public-key': 'public-1', 'organization-scoped': false };
const newOauthClient: Written = {
  sets: [
    {
      ...VCS,
      'service-provider': 'gitlab_enterprise_edition',
      'http-url': 'https://gitlab.example.com',
      'api-url': 'https://gitlab.example.com/api',
      'oauth-token-string': 'dummy',
    },
  ],
  elsewhere: VCS_SECRETS,
};
const oauthClient: Written = { sets: [VCS], elsewhere: VCS_SECRETS };
const variable: Written = {
  sets: [
    { key: 'written-1', value: 'north', description: 'Where', category: 'env' },
    { key: 'written-2', category: 'terraform', hcl: true, sensitive: true },
  ],
};
const variableSet: Written = { sets: [{ name: 'written', description: 'Shared', global: true, priority: true }] };
const reservedKey: Written = { sets: [{ key: 'written', 'disable-overrides': true }] };
/** The only one of its kind has no description, as in the original. */
const onlyToken: Written = {
  sets: [{ 'expired-at': '2027-01-01T00:00:00.000Z' }],
  elsewhere: { description: { why: 'that of a token among others' } },
};
const token: Written = { sets: [{ description: 'written', 'expired-at': '2027-01-01T00:00:00.000Z' }] };
const RETENTION = { ...Object.fromEntries(NUMBERS.map((name, index) => [name, 40 + index])), ...same(FLAGS, false) };
const retention: Written = {
  sets: [RETENTION, { ...RETENTION, ...same(FLAGS, true) }],
  isWhole: true,
  elsewhere: Object.fromEntries(
    [...NUMBERS, ...FLAGS].map((name) => [camelCase(name), { why: 'another spelling, tested where it is declared' }]),
  ),
};
const agentStatus: Written = { sets: [{ status: 'exited' }], isWhole: true, byAgent: true };

const NOTIFICATION = {
  name: 'written',
  url: 'https://receiver.example.com/hook',
  triggers: ['run:errored', 'run:completed'],
};
const NOTIFICATION_ELSEWHERE = {
  token: secret,
  enabled: { why: 'its receiver has to answer: test of notifications' },
  'email-addresses': { why: 'no mail is sent' },
};

/** Every route that takes attributes, and what comes of each of them: one that is new and not here fails. */
export const WRITTEN: Readonly<Record<string, Written>> = {
  'PATCH /account/update': {
    sets: [{ username: 'written', email: 'written@example.com' }],
    elsewhere: {
      email: { why: 'waits for the operator', read: ({ attributes }) => attributes['unconfirmed-email'] },
    },
    show: '/account/details',
  },
  'POST /organizations': organization,
  'PATCH /organizations/:organization_name': organization,
  'POST /organizations/:organization_name/projects': project,
  'PATCH /projects/:project_id': project,
  'POST /organizations/:organization_name/teams': team,
  'PATCH /teams/:team_id': team,
  'POST /team-workspaces': { ...workspaceAccess, isOnlyOne: true },
  'PATCH /team-workspaces/:team_workspace_id': workspaceAccess,
  'POST /team-projects': { ...projectAccess, isOnlyOne: true },
  'PATCH /team-projects/:team_project_id': projectAccess,
  'POST /teams/:team_id/machine-identities': {
    sets: [{ mount: 'other', role: 'written', 'common-name': 'written.example.com' }],
  },
  'POST /organizations/:organization_name/workspaces': workspace,
  'PATCH /workspaces/:workspace_id': workspace,
  'PATCH /organizations/:organization_name/workspaces/:workspace_name': workspace,
  'POST /organizations/:organization_name/ssh-keys': sshKey,
  'PATCH /ssh-keys/:ssh_key_id': sshKey,
  'POST /organizations/:organization_name/agent-pools': agentPool,
  'PATCH /agent-pools/:agent_pool_id': agentPool,
  'POST /organizations/:organization_name/oauth-clients': newOauthClient,
  'PATCH /oauth-clients/:oauth_client_id': oauthClient,
  'PATCH /oauth-tokens/:oauth_token_id': {
    sets: [{ 'ssh-key': privateKey }],
    elsewhere: { 'ssh-key': secret },
  },
  'POST /workspaces/:workspace_id/vars': variable,
  'PATCH /workspaces/:workspace_id/vars/:variable_id': variable,
  'POST /vars': variable,
  'PATCH /vars/:variable_id': variable,
  'POST /varsets/:varset_id/relationships/vars': variable,
  'PATCH /varsets/:varset_id/relationships/vars/:variable_id': variable,
  'POST /organizations/:organization_name/varsets': variableSet,
  'PATCH /varsets/:varset_id': variableSet,
  'PUT /varsets/:varset_id': variableSet,
  'POST /organizations/:organization_name/reserved-tag-keys': reservedKey,
  'PATCH /reserved-tags/:id': reservedKey,
  'PATCH /reserved-tag-keys/:id': reservedKey,
  'POST /organizations/:organization_name/organization-memberships': { sets: [{ email: 'written@example.com' }] },
  'POST /users/:user_id/authentication-tokens': token,
  'POST /organizations/:organization_name/authentication-token': onlyToken,
  'POST /teams/:team_id/authentication-token': onlyToken,
  'POST /teams/:team_id/authentication-tokens': token,
  'POST /agent-pools/:agent_pool_id/authentication-tokens': token,
  'POST /workspaces/:workspace_id/relationships/data-retention-policy': retention,
  'PATCH /workspaces/:workspace_id/relationships/data-retention-policy': retention,
  'POST /organizations/:organization_name/relationships/data-retention-policy': retention,
  'PATCH /organizations/:organization_name/relationships/data-retention-policy': retention,
  'POST /agent-pools/:agent_pool_id/agents': { sets: [{ name: 'written' }], byAgent: true },
  'PATCH /agents/:agent_id': agentStatus,
  'POST /workspaces/:workspace_id/notification-configurations': {
    sets: [{ ...NOTIFICATION, 'destination-type': 'slack' }],
    elsewhere: NOTIFICATION_ELSEWHERE,
  },
  'PATCH /notification-configurations/:notification_configuration_id': {
    sets: [NOTIFICATION],
    elsewhere: { ...NOTIFICATION_ELSEWHERE, 'destination-type': { why: 'stays what it is' } },
  },
  'POST /runs/:run_id/comments': { sets: [{ body: 'Written' }] },
  'POST /workspaces/:workspace_id/configuration-versions': {
    sets: [{ 'auto-queue-runs': false, speculative: true }, { provisional: true }],
  },
  'POST /runs': {
    sets: [
      {
        'allow-config-generation': true,
        'allow-empty-apply': true,
        'auto-apply': true,
        'invoke-action-addrs': ['action.a'],
        'is-destroy': true,
        message: 'Written',
        'plan-only': false,
        'policy-paths': ['policy'],
        refresh: false,
        'replace-addrs': ['aws_instance.a'],
        'target-addrs': ['aws_instance.b'],
        variables: [{ key: 'region', value: '"north"' }],
      },
      { 'refresh-only': true },
      { 'save-plan': true, 'plan-only': false },
      { 'plan-only': true, 'terraform-version': '1.5.7' },
    ],
  },
};

/** Routes whose attributes are no settings that stay, and why. */
export const NO_SETTINGS: Readonly<Record<string, string>> = {
  'PATCH /workspaces/:workspace_id/relationships/ssh-key': 'the id of a key: test §4.8',
  'POST /applies/:id/actions/append-log': 'a piece of a log',
  'POST /plans/:id/actions/append-log': 'a piece of a log',
  'POST /runs/:run_id/actions/advance': 'a report',
  'POST /workspaces/:workspace_id/actions/lock': 'a reason: test §4.7',
  'POST /workspaces/:workspace_id/state-versions': 'a state, with what is to be checked of it',
};
