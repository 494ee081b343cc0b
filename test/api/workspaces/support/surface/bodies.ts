import { privateKey } from '../../../../support/samples/private-key.ts';
import { stateText } from '../states.ts';
import type { Values } from './expectation.ts';

export const resource = (type: string, attributes: object = {}) => ({ data: { type, attributes } });

export const tags = { data: [{ type: 'tags', attributes: { name: 'blue' } }] };
export const bindings = { data: [{ type: 'tag-bindings', attributes: { key: 'env', value: 'prod' } }] };
export const variable = (key: string) => resource('vars', { key, value: '1', category: 'terraform' });
export const sshKey = (name: string) => resource('ssh-keys', { name, value: privateKey });

export const TOKEN = resource('authentication-tokens');
export const PIPELINE = resource('pipeline-identities', {
  issuer: 'https://token.actions.example.com',
  audiences: ['lockkeeper'],
  claims: { repository: 'acme/infra' },
});
/** URL on this machine that gets no requests. */
export const PROVIDER = resource('sign-in-providers', {
  name: 'Example ID',
  issuer: 'https://127.0.0.1/id',
  'client-id': 'lockkeeper',
});
export const RETENTION = resource('data-retention-policy-delete-olders', { 'delete-older-than-n-days': 30 });
export const OAUTH_CLIENT = resource('oauth-clients', {
  'service-provider': 'github',
  'http-url': 'https://github.example.com',
  // The server refuses it without a request, because it is a private address.
  'api-url': 'https://10.0.0.1',
  'oauth-token-string': 'not-a-real-token',
});

export const projects = ({ project_id: id = 'prj-none' }: Values) => ({ data: [{ type: 'projects', id }] });
export const workspaces = (name: string) => (values: Values) => ({
  data: [{ type: 'workspaces', id: values[name] ?? 'ws-none' }],
});

export const trigger = ({ other_workspace_id: id = 'ws-none' }: Values) => ({
  data: { type: 'run-triggers', relationships: { sourceable: { data: { type: 'workspaces', id } } } },
});
export const approvalRule =
  (name: string) =>
  ({ team_id: id = 'team-none' }: Values) => ({
    data: {
      type: 'approval-rules',
      attributes: { name },
      relationships: { teams: { data: [{ type: 'teams', id }] } },
    },
  });
export const notification = (name: string) =>
  resource('notification-configurations', {
    name,
    'destination-type': 'generic',
    url: 'https://127.0.0.1/hook',
    enabled: false,
  });
/** The URL is on this machine, where nothing listens, so the task is disabled. */
export const runTask = (name: string) =>
  resource('tasks', { name, category: 'task', url: 'https://127.0.0.1/task', enabled: false });
export const workspaceTask = ({ task_id: id = 'task-none' }: Values) => ({
  data: { type: 'workspace-tasks', attributes: {}, relationships: { task: { data: { type: 'tasks', id } } } },
});
export const plan = ({ other_workspace_id: id = 'ws-none' }: Values) => ({
  data: {
    type: 'runs',
    attributes: { 'plan-only': true },
    relationships: { workspace: { data: { type: 'workspaces', id } } },
  },
});
export const explorerView = (name: string) =>
  resource('explorer-saved-queries', { name, 'query-type': 'workspaces', query: { filter: [] } });
export const AGENT = resource('agents', { name: 'runner-1' });
export const COMMENT = resource('comments', { body: 'Looks fine' });

export const schedule = (name: string) => resource('schedules', { name, operation: 'plan', cron: '0 2 * * *' });

/** A state without resources. */
export const STATE = stateText(1, { resources: [], outputs: { address: { value: '10.0.0.1', type: 'string' } } });

/** Access of a team that has none yet. */
export function accessBody(type: string, target: string, id: string | undefined, values: Values): object {
  const relationships = {
    team: { data: { type: 'teams', id: values.other_team_id ?? 'other_team_id' } },
    [target]: { data: { type: `${target}s`, id: id ?? 'none' } },
  };
  return { data: { type, attributes: { access: 'read' }, relationships } };
}
