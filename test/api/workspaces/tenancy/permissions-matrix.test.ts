import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Caller, startApi, type TestApi } from '../support/api.ts';
import { keepRows, LastingBlobs } from '../support/kept-rows.ts';
import { identify, newOrganization, newTeamMember, type TestOrganization } from '../support/organization.ts';
import { oneOfEverything, requestOf, SURFACE, type Values } from '../support/surface/index.ts';

/**
 * The complete permissions: the status of each route of the service for each kind of caller, in a golden file. A
 * changed permission is visible in review as a change of this file, which `npx vitest run
 * test/api/workspaces/tenancy/permissions-matrix -u` writes. Each cell starts with the same organization, which
 * contains one of everything.
 */

/** Access of a team to only the workspace, or to its project. */
const LEVELS: Readonly<Record<string, { readonly type: string; readonly attributes: object }>> = {
  outputs: {
    type: 'team-workspaces',
    attributes: { access: 'custom', runs: 'none', 'state-versions': 'read-outputs' },
  },
  read: { type: 'team-workspaces', attributes: { access: 'read' } },
  plan: { type: 'team-workspaces', attributes: { access: 'plan' } },
  write: { type: 'team-workspaces', attributes: { access: 'write' } },
  maintain: { type: 'team-projects', attributes: { access: 'maintain' } },
  admin: { type: 'team-workspaces', attributes: { access: 'admin' } },
  'project admin': { type: 'team-projects', attributes: { access: 'admin' } },
};

/** Permissions of a team across the organization. */
const ORGANIZATION_ACCESS: Readonly<Record<string, object>> = {
  member: {},
  manager: { 'manage-workspaces': true },
  'team manager': { 'manage-teams': true, 'manage-membership': true, 'manage-organization-access': true },
};

let api: TestApi;
let callers: readonly (readonly [role: string, caller: Caller])[];
let values: Values;
let restore: () => Promise<void>;

beforeAll(async () => {
  api = await startApi('sqlite', LastingBlobs);
  const organization = await newOrganization(api);
  values = await oneOfEverything(organization);
  const job = await serveByAgents(organization.owner);
  callers = await callersOf(organization, job);
  restore = await keepRows(api.workspaces.database);
});
afterAll(() => api.close());

// Thousands of requests: a busy machine takes a few minutes.
test('permissions match the reviewed file', { timeout: 300_000 }, async () => {
  const rows: string[][] = [['', ...callers.map(([role]) => role)]];
  for (const route of Object.keys(SURFACE).toSorted(byPath)) rows.push([route, ...(await statusesOf(route))]);
  await expect(`${table(rows)}\n`).toMatchFileSnapshot('../../../golden/permissions-workspaces.txt');
});

async function statusesOf(route: string): Promise<string[]> {
  const { method, path, body } = requestOf(route, values);
  const statuses: string[] = [];
  for (const [role, caller] of callers) {
    const { status, text } = await caller.call(method, path, body);
    expect(status, `${route} as ${role}: ${text}`).toBeLessThan(500);
    statuses.push(String(status));
    if (method !== 'GET' && status < 400) await restore();
  }
  return statuses;
}

/** @param job the token of the agent's current job */
async function callersOf(organization: TestOrganization, job: string): Promise<[string, Caller][]> {
  const { name, owner, team } = organization;

  /** Creates a team, and a user in it. */
  async function member(role: string, access: object): Promise<[id: string, caller: Caller]> {
    const id = await team(role, access);
    return [id, await newTeamMember(api, id, role.replace(' ', '-'))];
  }

  const leveled: [string, Caller][] = [];
  const teams: Record<string, string> = {};
  for (const [role, { type, attributes }] of Object.entries(LEVELS)) {
    const [id, caller] = await member(role, {});
    const target = type === 'team-workspaces' ? 'workspace' : 'project';
    const relationships = {
      team: { data: { type: 'teams', id } },
      [target]: { data: { type: `${target}s`, id: values[`${target}_id`] } },
    };
    const granted = await owner.call('POST', `/${type}`, { data: { type, attributes, relationships } });
    expect(granted.status, granted.text).toBe(201);
    leveled.push([role, caller]);
    teams[role] = id;
  }
  const wide: [string, Caller][] = [];
  for (const [role, access] of Object.entries(ORGANIZATION_ACCESS)) wide.push([role, (await member(role, access))[1]]);

  await identify(owner, teams.write ?? '', { mount: 'cert', role: `${name}/writer` });
  return [
    ['nobody', api.nobody()],
    ['stranger', await api.user('stranger')],
    ...leveled,
    ...wide,
    ['machine', api.machine({ role: `${name}/writer` })],
    ...(await tokenHolder('team token', owner, `/teams/${teams.write}/authentication-token`)),
    ...(await tokenHolder('org token', owner, `/organizations/${name}/authentication-token`)),
    ['agent token', api.holder(values.agent_token ?? '')],
    ['agent', agentCaller()],
    ['job', api.holder(job)],
    ['owner', owner],
  ];
}

/** Returns the existing agent, which calls under its ID. */
function agentCaller(): Caller {
  const holder = api.holder(values.agent_token ?? '');
  const call: Caller['call'] = (method, path, body) =>
    holder.call(method, path, body, { 'agent-id': values.agent_id ?? '' });
  return { token: holder.token, call };
}

/** Returns the token of a job: the pool serves both workspaces, and the agent has taken the run of one of them. */
async function serveByAgents(owner: Caller): Promise<string> {
  const attributes = { 'execution-mode': 'agent', 'agent-pool-id': values.agent_pool_id };
  for (const id of [values.workspace_id, values.other_workspace_id]) {
    const set = await owner.call('PATCH', `/workspaces/${id}`, { data: { type: 'workspaces', attributes } });
    expect(set.status, set.text).toBe(200);
  }
  // The agents of the pool get the queued runs from the next sweep on.
  await api.workspaces.execution.runReconciler.sweep();
  const taken = await agentCaller().call('POST', `/agents/${values.agent_id}/actions/claim`);
  expect(taken.body.data.attributes['run-id']).toBe(values.run_id);
  return taken.body.data.attributes.token;
}

/** Creates a token at the path, and returns a client that uses it. */
async function tokenHolder(role: string, owner: Caller, path: string): Promise<[string, Caller][]> {
  const made = await owner.call('POST', path, { data: { type: 'authentication-tokens', attributes: {} } });
  expect(made.status, made.text).toBe(201);
  return [[role, api.holder(made.body.data.attributes.token)]];
}

function byPath(one: string, other: string): number {
  const key = (route: string) => route.split(' ').toReversed().join(' ');
  return key(one) < key(other) ? -1 : 1;
}

function table(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}
