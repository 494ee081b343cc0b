import { createHash } from 'node:crypto';
import { expect } from 'vitest';
import { stateText } from '../../api/workspaces/support/states.ts';
import { privateKey } from '../../support/samples/private-key.ts';
import type { TestServer } from '../../support/server.ts';
import { made } from './two-servers.ts';

const to = (type: string, id: string) => ({ data: { type, id } });
const many = (type: string, ...ids: readonly string[]) => ({ data: ids.map((id) => ({ type, id })) });

/** Creates the organization `acme` with one of everything that a migration takes, and names that need care. */
export async function fullOrganization(server: TestServer): Promise<Record<'network' | 'app', string>> {
  await made(server, '/organizations', 'organizations', { name: 'acme', email: 'ops@example.com' });
  const below = '/organizations/acme';
  const pool = await made(server, `${below}/agent-pools`, 'agent-pools', { name: 'racks' });
  const key = await made(server, `${below}/ssh-keys`, 'ssh-keys', { name: 'deploy', value: privateKey });
  const tags = { 'tag-bindings': { data: [{ type: 'tag-bindings', attributes: { key: 'cost', value: 'ops 1' } }] } };
  const project = await made(server, `${below}/projects`, 'projects', { name: 'Net work', description: 'Ours' }, tags);
  const team = await made(server, `${below}/teams`, 'teams', { name: 'runners', visibility: 'organization' });
  await made(
    server,
    `${below}/organization-memberships`,
    'organization-memberships',
    { email: 'm@example.com' },
    { teams: many('teams', team.id) },
  );
  await made(server, `${below}/reserved-tag-keys`, 'reserved-tag-keys', { key: 'cost' });
  const network = await made(
    ...([server, `${below}/workspaces`, 'workspaces'] as const),
    {
      ...{ name: 'network', description: 'First\nsecond', 'auto-apply': true, 'terraform-version': '1.5.7' },
      ...{ 'execution-mode': 'agent', 'agent-pool-id': pool.id, 'working-directory': 'net', engine: 'terraform' },
    },
    { project: to('projects', project.id), tags: { data: [{ type: 'tags', attributes: { name: 'blue' } }] } },
  );
  const app = await made(server, `${below}/workspaces`, 'workspaces', {
    ...{ name: 'app', 'allow-destroy-plan': false, 'global-remote-state': true },
  });
  await server.user('PATCH', `/api/v2/workspaces/${network.id}/relationships/ssh-key`, {
    data: { type: 'workspaces', attributes: { id: key.id } },
  });
  const bindings = [{ type: 'tag-bindings', attributes: { key: 'env', value: 'prod' } }];
  await server.user('PATCH', `/api/v2/workspaces/${app.id}/tag-bindings`, { data: bindings });
  await made(server, `/workspaces/${network.id}/vars`, 'vars', {
    key: 'region',
    value: 'north',
    category: 'terraform',
  });
  await made(server, `/workspaces/${network.id}/vars`, 'vars', {
    key: 'region',
    value: 'x',
    category: 'env',
    description: 'Where',
  });
  await made(server, `/workspaces/${app.id}/vars`, 'vars', {
    key: 'password',
    value: 'between us',
    category: 'env',
    sensitive: true,
  });
  const set = await made(
    server,
    `${below}/varsets`,
    'varsets',
    { name: 'shared', description: 'All' },
    { workspaces: many('workspaces', app.id), projects: many('projects', project.id) },
  );
  await made(server, `/varsets/${set.id}/relationships/vars`, 'vars', {
    key: 'zone',
    value: '["a"]',
    hcl: true,
    category: 'terraform',
  });
  await made(server, `/varsets/${set.id}/relationships/vars`, 'vars', {
    key: 'token',
    value: 'between us',
    category: 'env',
    sensitive: true,
  });
  await made(
    server,
    '/team-workspaces',
    'team-workspaces',
    { access: 'custom', runs: 'apply', 'workspace-locking': true },
    { team: to('teams', team.id), workspace: to('workspaces', app.id) },
  );
  await made(
    server,
    '/team-projects',
    'team-projects',
    { access: 'maintain' },
    { team: to('teams', team.id), project: to('projects', project.id) },
  );
  await made(
    server,
    `/workspaces/${app.id}/run-triggers`,
    'run-triggers',
    {},
    { sourceable: to('workspaces', network.id) },
  );
  await server.user(
    'POST',
    `/api/v2/workspaces/${network.id}/relationships/remote-state-consumers`,
    many('workspaces', app.id),
  );
  const hook = {
    name: 'hook',
    'destination-type': 'generic',
    url: 'https://127.0.0.1/hook',
    triggers: ['run:errored'],
    enabled: false,
  };
  await made(server, `/workspaces/${app.id}/notification-configurations`, 'notification-configurations', hook);
  await made(server, `/projects/${project.id}/notification-configurations`, 'notification-configurations', hook);
  const task = await made(server, `${below}/tasks`, 'tasks', {
    name: 'checks',
    category: 'task',
    url: 'https://127.0.0.1/task',
    enabled: false,
  });
  await made(
    server,
    `/workspaces/${app.id}/tasks`,
    'workspace-tasks',
    { 'enforcement-level': 'mandatory', stages: ['pre_plan'] },
    { task: to('tasks', task.id) },
  );
  await made(server, `/workspaces/${app.id}/schedules`, 'schedules', {
    name: 'nightly',
    operation: 'plan',
    cron: '0 2 * * *',
    'time-zone': 'Europe/Berlin',
  });
  await made(server, `/projects/${project.id}/schedules`, 'schedules', {
    name: 'weekly',
    operation: 'refresh',
    cron: '0 3 * * 1',
  });
  await made(
    server,
    `/projects/${project.id}/approval-rules`,
    'approval-rules',
    { name: 'two', 'required-approvals': 2 },
    { teams: many('teams', team.id) },
  );
  await made(server, `${below}/explorer/views`, 'explorer-saved-queries', {
    name: 'drift',
    'query-type': 'workspaces',
    query: { filter: [] },
  });
  await made(server, `/teams/${team.id}/pipeline-identities`, 'pipeline-identities', {
    issuer: 'https://token.actions.example.com',
    audiences: ['lockkeeper'],
    claims: { repository: 'acme/infra' },
  });
  await pushStates(server, network.id, [3, 7]);
  return { network: network.id, app: app.id };
}

/** Pushes states with these serials. */
export async function pushStates(server: TestServer, id: string, serials: readonly number[]): Promise<void> {
  await server.user('POST', `/api/v2/workspaces/${id}/actions/lock`);
  for (const serial of serials) {
    const text = stateText(serial);
    const attributes = { serial, md5: createHash('md5').update(text).digest('hex'), lineage: 'lineage-1' };
    const state = Buffer.from(text).toString('base64');
    await made(server, `/workspaces/${id}/state-versions`, 'state-versions', { ...attributes, state });
  }
  const { status } = await server.user('POST', `/api/v2/workspaces/${id}/actions/unlock`);
  expect(status).toBe(200);
}
