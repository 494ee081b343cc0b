import { DEFAULT_SETTINGS } from '../../../../../src/workspaces/workspace/model/settings.ts';
import { FLAGS, NUMBERS } from '../../../../../src/workspaces/workspace/retention/policy.ts';
import { WorkspaceResource } from '../../../../../src/workspaces/workspace/settings/resource.ts';
import {
  TeamProjectResource,
  TeamWorkspaceResource,
} from '../../../../../src/workspaces/workspace/team-access/resource.ts';
import { flagsOf, mostOf, same, secret, type Written } from './written.ts';

const workspaceAccess: Written = { sets: [{ ...mostOf(TeamWorkspaceResource.update), access: 'custom' }] };
const projectAccess: Written = { sets: [{ ...mostOf(TeamProjectResource.update), access: 'custom' }] };

/** The flags of a new workspace, each with its other value. The second set writes those that exclude one of them. */
const FLAGS_OF_WORKSPACE = Object.fromEntries(
  flagsOf(WorkspaceResource.update, ['project-remote-state', 'operations']).map((name) => [
    name,
    !DEFAULT_SETTINGS[name as keyof typeof DEFAULT_SETTINGS],
  ]),
);

const workspace: Written = {
  sets: [
    ({ oauth_token_id: token }) => ({
      name: 'written-1',
      ...FLAGS_OF_WORKSPACE,
      'auto-destroy-activity-duration': '3d',
      description: 'All of it',
      engine: 'terraform',
      'engine-version': '1.5.7',
      'execution-mode': 'local',
      'migration-environment': 'staging',
      'setting-overwrites': { 'execution-mode': true, 'agent-pool': true },
      'source-name': 'A client',
      'source-url': 'https://client.example.com',
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
