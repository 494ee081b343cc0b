import { FLAGS, NUMBERS } from '../../../../../src/workspaces/workspace/retention/policy.ts';
import { same, secret, type Written } from './written.ts';

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
      engine: 'terraform',
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
const reservedKey: Written = { sets: [{ key: 'written', 'disable-overrides': true }] };

const camelCase = (name: string) => name.replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
const RETENTION = { ...Object.fromEntries(NUMBERS.map((name, index) => [name, 40 + index])), ...same(FLAGS, false) };
const retention: Written = {
  sets: [RETENTION, { ...RETENTION, ...same(FLAGS, true) }],
  isWhole: true,
  elsewhere: Object.fromEntries(
    [...NUMBERS, ...FLAGS].map((name) => [camelCase(name), { why: 'another spelling, tested where it is declared' }]),
  ),
};

/** Attributes that workspaces and access to them take. */
export const WORKSPACE_WRITTEN: Readonly<Record<string, Written>> = {
  'POST /team-workspaces': { ...workspaceAccess, isOnlyOne: true },
  'PATCH /team-workspaces/:team_workspace_id': workspaceAccess,
  'POST /team-projects': { ...projectAccess, isOnlyOne: true },
  'PATCH /team-projects/:team_project_id': projectAccess,
  'POST /organizations/:organization_name/workspaces': workspace,
  'PATCH /workspaces/:workspace_id': workspace,
  'PATCH /organizations/:organization_name/workspaces/:workspace_name': workspace,
  'POST /organizations/:organization_name/ssh-keys': sshKey,
  'PATCH /ssh-keys/:ssh_key_id': sshKey,
  'POST /organizations/:organization_name/reserved-tag-keys': reservedKey,
  'PATCH /reserved-tags/:id': reservedKey,
  'PATCH /reserved-tag-keys/:id': reservedKey,
  'POST /workspaces/:workspace_id/relationships/data-retention-policy': retention,
  'PATCH /workspaces/:workspace_id/relationships/data-retention-policy': retention,
  'POST /organizations/:organization_name/relationships/data-retention-policy': retention,
  'PATCH /organizations/:organization_name/relationships/data-retention-policy': retention,
};
