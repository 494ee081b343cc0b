import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { databaseKinds } from '../../../support/databases.ts';
import { agentsOf, byAgents } from '../support/agents.ts';
import { startApi, type TestApi } from '../support/api.ts';
import { issuesOf, newOrganization, type TestOrganization } from '../support/organization.ts';
import { runsOf, type TestRuns } from '../support/runs.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

describe.each(databaseKinds)('agents on %s', (kind) => {
  let api: TestApi;
  let acme: TestOrganization;
  let agents: ReturnType<typeof agentsOf>;
  let runs: TestRuns;
  beforeAll(async () => {
    api = await startApi(kind);
  });
  afterAll(() => api.close());
  beforeEach(async () => {
    acme = await newOrganization(api);
    agents = agentsOf(api, acme);
    runs = runsOf(api, acme);
  });

  const show = async (id: string) => (await acme.owner.call('GET', `/agents/${id}`)).body.data;
  const statusOf = async (id: string) => (await show(id)).attributes.status;
  const agentCount = async (pool: string) =>
    (await acme.owner.call('GET', `/agent-pools/${pool}`)).body.data.attributes['agent-count'];

  test('§6.7 one registers with a token of its pool, and is shown to those who see the pool', async () => {
    const pool = await agents.pool('first');
    const agent = await agents.agent(pool);
    const shown = await acme.owner.call('GET', `/agents/${agent.id}`);
    expect(shown.body.data).toMatchObject({
      id: expect.stringMatching(/^agent-/),
      type: 'agents',
      attributes: {
        name: 'runner-1',
        status: 'idle',
        'ip-address': '127.0.0.1',
        'last-ping-at': new Date(api.now()).toISOString(),
      },
      relationships: { 'agent-pool': { data: { type: 'agent-pools', id: pool } }, run: { data: null } },
    });
    expect((await agent.call('GET', `/agents/${agent.id}`)).body).toEqual(shown.body);
    const listed = await acme.owner.call('GET', `/agent-pools/${pool}/agents`);
    expect(listed.body.data).toEqual([shown.body.data]);
    expect(listed.body.meta.pagination['total-count']).toBe(1);
    expect(await agentCount(pool)).toBe(1);
    const reader = await acme.machine('reads', { 'read-workspaces': true });
    expect((await reader.call('GET', `/agents/${agent.id}`)).status).toBe(404);
    expect((await (await api.user(`s-${acme.name}`)).call('GET', `/agents/${agent.id}`)).status).toBe(404);
  });

  test('registration needs a name, and a token of the same pool', async () => {
    const [pool, other] = [await agents.pool('first'), await agents.pool('other')];
    const holder = api.holder((await agents.token(pool)).text);
    const body = (name: string) => ({ data: { type: 'agents', attributes: { name } } });
    expect((await holder.call('POST', `/agent-pools/${other}/agents`, body('a'))).status).toBe(404);
    expect((await acme.owner.call('POST', `/agent-pools/${pool}/agents`, body('a'))).status).toBe(404);
    const nameless = await holder.call('POST', `/agent-pools/${pool}/agents`, body(' '));
    expect(nameless.status).toBe(422);
    expect(issuesOf(nameless)).toEqual(["/data/attributes/name: Name can't be blank"]);
    expect((await holder.call('GET', `/agent-pools/${pool}`)).status).toBe(404);
  });

  test('lists are narrowed by the last sign of life, and sorted', async () => {
    const pool = await agents.pool('first');
    const early = await agents.agent(pool);
    api.advance(HOUR);
    const since = new Date(api.now()).toISOString();
    const late = await agents.agent(pool);
    const idsOf = async (query: string) =>
      (await acme.owner.call('GET', `/agent-pools/${pool}/agents?${query}`)).body.data.map(
        ({ id }: { id: string }) => id,
      );
    expect(await idsOf('')).toEqual([early.id, late.id]);
    expect(await idsOf('sort=-created-at')).toEqual([late.id, early.id]);
    expect(await idsOf(`filter[last-ping-since]=${since}`)).toEqual([late.id]);
    expect((await acme.owner.call('GET', `/agent-pools/${pool}/agents?filter[last-ping-since]=soon`)).status).toBe(400);
  });

  test('every request is a heartbeat; a silent agent is unknown, and not counted', async () => {
    const pool = await agents.pool('first');
    const agent = await agents.agent(pool);
    api.advance(MINUTE);
    await agent.call('GET', '/ping');
    expect((await agent.call('GET', '/organizations')).body.data).toEqual([]);
    expect((await show(agent.id)).attributes['last-ping-at']).toBe(new Date(api.now()).toISOString());
    api.advance(2 * MINUTE);
    expect(await statusOf(agent.id)).toBe('idle');
    api.advance(1);
    expect(await statusOf(agent.id)).toBe('unknown');
    expect(await agentCount(pool)).toBe(0);
    expect((await agent.say('idle')).body.data.attributes.status).toBe('idle');
    expect(await agentCount(pool)).toBe(1);
  });

  test('it is busy with its run, and is gone once it has deregistered', async () => {
    const pool = await agents.pool('first');
    const workspace = await runs.workspace('one', byAgents(pool));
    const run = await runs.run(workspace);
    const agent = await agents.agent(pool);
    expect((await agent.take()).runId).toBe(run);
    expect(await show(agent.id)).toMatchObject({
      attributes: { status: 'busy' },
      relationships: { run: { data: { type: 'runs', id: run } } },
    });
    expect((await agent.say('exited')).body.data.attributes.status).toBe('exited');
    for (const answer of [await agent.say('idle'), await agent.claim()]) expect(answer.status).toBe(404);
    expect((await show(agent.id)).relationships.run.data).toBeNull();
    expect((await agent.say('gone')).status).toBe(422);
  });

  test('one that is gone is deleted by those who manage the pool, or forgotten after two hours', async () => {
    const pool = await agents.pool('first');
    const [agent, other] = [await agents.agent(pool), await agents.agent(pool)];
    expect((await acme.owner.call('DELETE', `/agents/${agent.id}`)).status).toBe(409);
    await agent.say('errored');
    const manager = await acme.machine('manages', { 'manage-workspaces': true });
    expect((await manager.call('GET', `/agents/${agent.id}`)).status).toBe(200);
    expect((await manager.call('DELETE', `/agents/${agent.id}`)).status).toBe(404);
    expect((await other.call('DELETE', `/agents/${agent.id}`)).status).toBe(404);
    expect((await acme.owner.call('DELETE', `/agents/${agent.id}`)).status).toBe(204);
    expect((await acme.owner.call('GET', `/agents/${agent.id}`)).status).toBe(404);
    api.advance(2 * HOUR);
    await api.workspaces.execution.runClaims.sweep();
    expect((await acme.owner.call('GET', `/agents/${other.id}`)).status).toBe(200);
    api.advance(1);
    await api.workspaces.execution.runClaims.sweep();
    expect((await acme.owner.call('GET', `/agents/${other.id}`)).status).toBe(404);
  });

  test('a token opens as long as it lives, and its use is on record', async () => {
    const pool = await agents.pool('first');
    const token = await agents.token(pool, { 'expired-at': new Date(api.now() + HOUR).toISOString() });
    const holder = api.holder(token.text);
    const { attributes } = (await acme.owner.call('GET', `/authentication-tokens/${token.id}`)).body.data;
    expect(attributes).toMatchObject({ 'expired-at': new Date(api.now() + HOUR).toISOString(), 'last-used-at': null });
    api.advance(HOUR - 1);
    expect((await holder.call('GET', '/organizations')).status).toBe(200);
    const used = (await acme.owner.call('GET', `/authentication-tokens/${token.id}`)).body.data.attributes;
    expect(used['last-used-at']).toBe(new Date(api.now()).toISOString());
    api.advance(1);
    expect((await holder.call('GET', '/organizations')).status).toBe(401);
    const late = await acme.owner.call('POST', `/agent-pools/${pool}/authentication-tokens`, {
      data: {
        type: 'agent-tokens',
        attributes: { description: 'late', 'expired-at': new Date(api.now()).toISOString() },
      },
    });
    expect(issuesOf(late)).toEqual(['/data/attributes/expired-at: Expired at must be in the future']);
  });

  test('a deleted token, pool or organization stops opening at once, for all agents that came by it', async () => {
    const [byToken, byPool] = [await agents.pool('by-token'), await agents.pool('by-pool')];
    const [first, second] = [await agents.agent(byToken), await agents.agent(byPool)];
    const spare = await agents.agent(byToken);
    const open = async () => Promise.all([first, second, spare].map(async (agent) => (await agent.claim()).status));
    expect(await open()).toEqual([204, 204, 204]);
    await acme.owner.call('DELETE', `/authentication-tokens/${first.tokenId}`);
    expect(await open()).toEqual([401, 204, 204]);
    await acme.owner.call('DELETE', `/agent-pools/${byPool}`);
    expect(await open()).toEqual([401, 401, 204]);
    await acme.owner.call('DELETE', `/organizations/${acme.name}`);
    expect(await open()).toEqual([401, 401, 401]);
  });

  test('an agent is bound to the token that registered it, and the audit log names the agent', async () => {
    const pool = await agents.pool('first');
    const [agent, other] = [await agents.agent(pool), await agents.agent(pool)];
    expect((await agent.call('GET', `/agents/${other.id}`)).status).toBe(404);
    expect((await agent.call('POST', `/agents/${other.id}/actions/claim`)).status).toBe(404);
    expect(api.lastEvent()).toMatchObject({ actor_kind: 'agent', actor_id: agent.id, actor_agent_pool: pool });
    await agent.call('GET', '/organizations', undefined, { 'agent-id': other.id });
    expect(api.lastEvent()).toMatchObject({ actor_kind: 'agent', actor_id: agent.tokenId });
  });
});
