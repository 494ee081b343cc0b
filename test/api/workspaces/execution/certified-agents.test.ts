import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { databaseKinds } from '../../../support/databases.ts';
import { agentsOf, byAgents, jobOf } from '../support/agents.ts';
import { type Caller, startApi, type TestApi } from '../support/api.ts';
import { created, identify, newOrganization, type TestOrganization } from '../support/organization.ts';
import { runsOf, type TestRuns } from '../support/runs.ts';

const MINUTE = 60_000;

describe.each(databaseKinds)('agents with certificates on %s', (kind) => {
  let api: TestApi;
  let acme: TestOrganization;
  let runs: TestRuns;
  let pool: string;
  let role: string;
  beforeAll(async () => {
    api = await startApi(kind);
  });
  afterAll(() => api.close());
  beforeEach(async () => {
    acme = await newOrganization(api);
    runs = runsOf(api, acme);
    pool = await agentsOf(api, acme).pool('first');
    role = `${acme.name}/agents`;
  });

  const admit = async (attributes: object = {}) => {
    const body = { data: { type: 'machine-identities', attributes: { mount: 'cert', role, ...attributes } } };
    return created(await acme.owner.call('POST', `/agent-pools/${pool}/machine-identities`, body));
  };
  const register = async (holder: Caller) =>
    created(
      await holder.call('POST', `/agent-pools/${pool}/agents`, { data: { type: 'agents', attributes: { name: 'a' } } }),
    );
  const as =
    (holder: Caller, id: string): Caller['call'] =>
    (method, path, body, headers) =>
      holder.call(method, path, body, { 'agent-id': id, ...headers });

  test('one registers with its certificate, takes a run and continues with its next login', async () => {
    await admit({ 'common-name': 'agent-*' });
    const machine = api.machine({ role, commonName: 'agent-1', serialNumber: '76', subject: 'CN=agent-1' });
    const agent = await register(machine);
    const workspace = await runs.workspace('one', byAgents(pool));
    const run = await runs.run(workspace);
    const call = as(machine, agent);
    const job = jobOf(api, (await call('POST', `/agents/${agent}/actions/claim`)).body.data);
    expect(job.runId).toBe(run);
    expect((await job.start()).status).toBe(204);
    const named = { actor_kind: 'agent', actor_id: agent, actor_agent_pool: pool, actor_subject: 'CN=agent-1' };
    const atWork = { ...named, actor_job: job.id, actor_run: run };
    expect(api.lastEvent()).toMatchObject({ ...atWork, actor_serial: '76' });
    const next = api.machine({ role, commonName: 'agent-1', serialNumber: '77', subject: 'CN=agent-1' });
    const later = as(next, agent);
    expect((await later('PATCH', `/agents/${agent}`, say('busy'))).body.data.attributes.status).toBe('busy');
    expect(api.lastEvent()).toMatchObject({ ...named, actor_serial: '77' });
    expect((await job.heartbeat()).status).toBe(200);
    expect(api.lastEvent()).toMatchObject({ ...atWork, actor_serial: '77' });
  });

  test('a certificate with another name is another agent, and one without an identity is refused', async () => {
    await admit({ 'common-name': 'agent-*' });
    const agent = await register(api.machine({ role, commonName: 'agent-1' }));
    const other = as(api.machine({ role, commonName: 'agent-2' }), agent);
    expect((await other('GET', `/agents/${agent}`)).status).toBe(404);
    expect((await other('POST', `/agents/${agent}/actions/claim`)).status).toBe(404);
    expect((await api.machine({ role, commonName: 'stranger' }).call('GET', `/agents/${agent}`)).status).toBe(401);
  });

  test('one whose login has expired while it waited gets no run', async () => {
    await admit();
    const machine = api.machine({ role, expiresAt: api.now() + MINUTE });
    const agent = await register(machine);
    const workspace = await runs.workspace('one', byAgents(pool));
    const waiting = as(machine, agent)('POST', `/agents/${agent}/actions/claim?wait=60`);
    expect((await as(machine, agent)('GET', `/agents/${agent}`)).status).toBe(200);
    api.advance(MINUTE);
    await runs.run(workspace);
    expect((await waiting).status).toBe(401);
  });

  test('it has exactly the access of a token of the pool', async () => {
    await admit();
    const machine = api.machine({ role });
    await runs.workspace('one', byAgents(pool));
    await register(machine);
    expect((await machine.call('GET', `/organizations/${acme.name}`)).status).toBe(404);
    expect((await machine.call('GET', `/organizations/${acme.name}/workspaces`)).status).toBe(404);
    expect((await machine.call('GET', `/agent-pools/${pool}`)).status).toBe(404);
    expect((await machine.call('GET', `/agent-pools/${pool}/machine-identities`)).status).toBe(404);
    const second = await agentsOf(api, acme).pool('second');
    const body = { data: { type: 'agents', attributes: { name: 'a' } } };
    expect((await machine.call('POST', `/agent-pools/${second}/agents`, body)).status).toBe(404);
  });

  test('its requests are its signs of life', async () => {
    await admit();
    const machine = api.machine({ role });
    const agent = await register(machine);
    const statusOf = async () => (await acme.owner.call('GET', `/agents/${agent}`)).body.data.attributes.status;
    api.advance(MINUTE);
    await as(machine, agent)('GET', `/agents/${agent}`);
    api.advance(MINUTE + 1);
    expect(await statusOf()).toBe('idle');
    api.advance(MINUTE);
    expect(await statusOf()).toBe('unknown');
  });

  test('the identity that fits best decides whether a machine is an agent, or acts for a team', async () => {
    const team = await acme.team('deployers', { 'read-workspaces': true });
    await identify(acme.owner, team, { mount: 'cert', role, 'common-name': 'deploy-*' });
    await admit();
    const workspaces = `/organizations/${acme.name}/workspaces`;
    expect((await api.machine({ role, commonName: 'deploy-1' }).call('GET', workspaces)).status).toBe(200);
    expect((await api.machine({ role, commonName: 'agent-1' }).call('GET', workspaces)).status).toBe(404);
    await register(api.machine({ role, commonName: 'agent-1' }));
  });

  test('agents are refused once the identity, or the pool, is gone', async () => {
    const identity = await admit();
    const machine = api.machine({ role });
    const agent = await register(machine);
    const shown = await acme.owner.call('GET', `/machine-identities/${identity}`);
    expect(shown.body.data.relationships).toMatchObject({
      team: { data: null },
      'agent-pool': { data: { type: 'agent-pools', id: pool } },
    });
    expect((await acme.owner.call('GET', `/agent-pools/${pool}/machine-identities`)).body.data).toEqual([
      shown.body.data,
    ]);
    expect((await acme.owner.call('DELETE', `/machine-identities/${identity}`)).status).toBe(204);
    expect((await as(machine, agent)('GET', `/agents/${agent}`)).status).toBe(401);
    expect((await acme.owner.call('GET', `/agents/${agent}`)).status).toBe(404);
    await admit();
    await register(machine);
    expect((await acme.owner.call('DELETE', `/agent-pools/${pool}`)).status).toBe(204);
    expect((await machine.call('GET', `/agents/${agent}`)).status).toBe(401);
  });

  test('only who manages pools decides who is an agent', async () => {
    const body = { data: { type: 'machine-identities', attributes: { mount: 'cert', role } } };
    const path = `/agent-pools/${pool}/machine-identities`;
    const reader = await acme.machine('reads', { 'read-workspaces': true });
    expect((await reader.call('POST', path, body)).status).toBe(404);
    const manager = await acme.machine('manages', { 'manage-agent-pools': true });
    const made = await manager.call('POST', path, body);
    expect(made.status).toBe(201);
    expect((await reader.call('GET', `/machine-identities/${made.body.data.id}`)).status).toBe(404);
    expect((await reader.call('DELETE', `/machine-identities/${made.body.data.id}`)).status).toBe(404);
    expect((await manager.call('POST', path, body)).status).toBe(422);
    expect((await manager.call('DELETE', `/machine-identities/${made.body.data.id}`)).status).toBe(204);
  });
});

const say = (status: string) => ({ data: { type: 'agents', attributes: { status } } });
