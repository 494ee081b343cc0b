import { describe, expect, test } from 'vitest';
import { databaseKinds } from '../../../../support/databases.ts';
import { NOT_STARTED, withAgentPool } from '../../support/agent-pool.ts';
import { byAgents, jobOf, type TestAgent, type TestJob } from '../../support/agents.ts';
import type { Caller } from '../../support/api.ts';
import { created } from '../../support/organization.ts';
import { base64, stateText, versionBody } from '../../support/states.ts';

const MINUTE = 60_000;

describe.each(databaseKinds)('the token of a job on %s', (kind) => {
  let { api, acme, runs, agents, pool } = NOT_STARTED;
  let agent: TestAgent;
  let workspace: string;
  let run: string;
  let job: TestJob;
  withAgentPool(kind, async (made) => {
    ({ api, acme, runs, agents, pool } = made);
    agent = await agents.agent(pool);
    workspace = await runs.workspace('one', byAgents(pool));
    run = await runs.run(workspace);
    job = await agent.take();
    await job.start();
  });

  const alive = async ({ id, call }: TestJob) => (await call('POST', `/jobs/${id}/actions/heartbeat`)).status;
  const asked = async (caller: Pick<Caller, 'call'>, requests: readonly (readonly [string, string, object?])[]) =>
    Promise.all(
      requests.map(
        async ([method, path, body]) => `${(await caller.call(method, path, body)).status} ${method} ${path}`,
      ),
    );

  test('is signed: one that is cut, changed or made up opens nothing', async () => {
    const [, phase = '', fence = '', hash = ''] = job.token.split('.');
    const flipped = `${hash.startsWith('A') ? 'B' : 'A'}${hash.slice(1)}`;
    const other = phase.replace('plan-', 'apply-');
    // The last character contains four bits, and two unused bits.
    const spare = `${hash.slice(0, -1)}${String.fromCharCode(hash.charCodeAt(42) + 1)}`;
    const texts = [
      ...[
        job.token.slice(0, -1),
        `${job.token}A`,
        `lkj.${phase}.${fence}.${flipped}`,
        `lkj.${phase}.${fence}.${spare}`,
        `lkj.${phase}.${fence}.`,
      ],
      ...[
        `lkj.${phase}.${Number(fence) + 1}.${hash}`,
        `lkj.${other}.${fence}.${hash}`,
        `lkj.${phase}.0${fence}.${hash}`,
      ],
      ...[`lkj.${phase}.${fence}`, 'lkj.', 'lkj...', `lkj.${'x'.repeat(8000)}`, `lka.${phase}.${fence}.${hash}`],
    ];
    for (const text of texts) {
      const answer = await api.holder(text).call('GET', `/jobs/${job.id}`);
      expect(answer.status, text).toBe(401);
    }
    expect((await api.holder(job.token).call('GET', `/jobs/${job.id}`)).status).toBe(200);
  });

  test('opens its own job and no other', async () => {
    const second = await runs.run(await runs.workspace('two', byAgents(pool)));
    const other = await (await agents.agent(pool)).take();
    expect(other.runId).toBe(second);
    await other.start();
    const apply = (await runs.show(run)).relationships.apply.data.id;
    for (const id of [other.id, apply]) {
      const log = { 'content-type': 'application/octet-stream' };
      const finish = { data: { type: 'jobs', attributes: { outcome: 'failed' } } };
      expect((await job.call('GET', `/jobs/${id}`)).status).toBe(404);
      expect((await job.call('POST', `/jobs/${id}/actions/start`)).status).toBe(404);
      expect((await job.call('POST', `/jobs/${id}/actions/heartbeat`)).status).toBe(404);
      expect((await job.call('POST', `/jobs/${id}/actions/finish`, finish)).status).toBe(404);
      expect((await job.call('PATCH', `/jobs/${id}/log?offset=0`, 'x', log)).status).toBe(404);
    }
    expect(await runs.statusOf(second)).toBe('planning');
    // The log and the state of the apply are not accessible.
    const piece = { data: { attributes: { offset: 0, content: base64('x') } } };
    expect((await job.call('POST', `/applies/${apply}/actions/append-log`, piece)).status).toBe(404);
    expect((await job.call('PUT', `/applies/${apply}/errored-state`, {})).status).toBe(404);
    expect((await acme.owner.call('GET', `/applies/${apply}`)).body.data.attributes['log-bytes']).toBe(0);
  });

  test('opens nothing but what the job needs', async () => {
    const other = await runs.workspace('two', byAgents(pool));
    const [behind, elsewhere] = [await runs.run(workspace), await runs.run(other)];
    const [plan, there] = [await runs.show(behind), await runs.show(elsewhere)];
    const foreign = there.relationships['configuration-version'].data.id;
    const body = (type: string, attributes: object) => ({ data: { type, attributes } });
    const requests = [
      ['GET', `/runs/${behind}`],
      ['GET', `/runs/${elsewhere}`],
      ['GET', `/plans/${plan.relationships.plan.data.id}`],
      ['GET', `/plans/${there.relationships.plan.data.id}/json-output-redacted`],
      ['GET', `/configuration-versions/${foreign}/download`],
      ['GET', `/workspaces/${other}`],
      ['GET', `/workspaces/${other}/runs`],
      ['GET', `/workspaces/${other}/current-state-version`],
      ['POST', `/workspaces/${other}/state-versions`, versionBody(stateText(1), { serial: 1 })],
      ['GET', `/organizations/${acme.name}`],
      ['GET', `/organizations/${acme.name}/workspaces`],
      ['GET', `/organizations/${acme.name}/runs`],
      ['GET', `/organizations/${acme.name}/runs/queue`],
      ['GET', `/agent-pools/${pool}`],
      ['GET', `/agent-pools/${pool}/agents`],
      ['POST', '/agents', body('agents', { name: 'a' })],
      ['POST', `/agent-pools/${pool}/agents`, body('agents', { name: 'a' })],
      ['PATCH', `/agents/${agent.id}`, body('agents', { status: 'exited' })],
      ['POST', `/agents/${agent.id}/actions/claim`],
      ['POST', `/runs/${run}/actions/advance`, body('runs', { status: 'planned' })],
      ...['apply', 'cancel', 'discard', 'force-cancel', 'force-execute'].map(
        (action) => ['POST', `/runs/${run}/actions/${action}`] as const,
      ),
      ['POST', `/runs/${run}/comments`, body('comments', { body: 'mine' })],
      ['GET', `/workspaces/${workspace}/vars`],
      ['POST', `/workspaces/${workspace}/vars`, body('vars', { key: 'a', value: 'b', category: 'env' })],
      ['GET', `/workspaces/${workspace}/all-vars`],
      ['PATCH', `/workspaces/${workspace}`, body('workspaces', { 'auto-apply': true })],
      ['DELETE', `/workspaces/${workspace}`],
      ['POST', `/workspaces/${workspace}/actions/unlock`],
      ['POST', `/workspaces/${workspace}/actions/force-unlock`],
      ['POST', `/workspaces/${workspace}/configuration-versions`, body('configuration-versions', {})],
      ['GET', '/account/details'],
    ] as const;
    expect(await asked(job, requests)).toEqual(requests.map(([method, path]) => `404 ${method} ${path}`));
  });

  test('is dead once the plan is over, however the run goes on', async () => {
    await job.finish('finished', { 'has-changes': true });
    expect(await alive(job)).toBe(401);
    await runs.act(run, 'apply');
    expect(await alive(job)).toBe(401);
    const apply = await agent.take();
    await apply.start();
    expect([await alive(job), await alive(apply)]).toEqual([401, 200]);
    await apply.finish('finished');
    expect(await alive(job)).toBe(401);
  });

  test('of an agent without a heartbeat, whose job another agent has, gives no access to it', async () => {
    const waiting = await runs.run(await runs.workspace('two', byAgents(pool)));
    const silent = await (await agents.agent(pool)).take();
    expect(silent.runId).toBe(waiting);
    api.advance(2 * MINUTE + 1);
    const next = await (await agents.agent(pool)).take();
    expect([next.runId, next.id]).toEqual([waiting, silent.id]);
    expect(next.token).not.toBe(silent.token);
    await next.start();
    const state = versionBody(
      stateText(1),
      { serial: 1, state: base64(stateText(1)) },
      { run: { data: { type: 'runs', id: waiting } } },
    );
    const { workspace: place } = (await runs.show(waiting)).relationships;
    for (const answer of [
      ...[await silent.start(), await silent.log(0, 'x'), await silent.heartbeat(), await silent.finish('finished')],
      await silent.call('POST', `/workspaces/${place.data.id}/state-versions`, state),
      await silent.call('PUT', `/plans/${silent.id}/json-output`, {}),
      await silent.call('GET', `/jobs/${silent.id}`),
    ]) {
      expect(answer.status).toBe(401);
    }
    expect((await next.log(0, 'mine')).body.data.attributes['log-bytes']).toBe(4);
  });

  test('stays the same as long as the agent has the job, and changes when the job is given out again', async () => {
    expect((await agent.take()).token).toBe(job.token);
    const second = await runs.run(await runs.workspace('two', byAgents(pool)));
    const other = await agents.agent(pool);
    const first = await other.take();
    await other.say('exited');
    const again = await (await agents.agent(pool)).take();
    expect([first.runId, again.runId]).toEqual([second, second]);
    expect([await alive(first), await alive(again)]).toEqual([401, 200]);
  });

  test('is dead with the token of the pool, with the pool, and with the agent', async () => {
    const ways = {
      token: ({ tokenId }: TestAgent) => acme.owner.call('DELETE', `/authentication-tokens/${tokenId}`),
      agent: ({ say }: TestAgent) => say('exited'),
      pool: async ({ poolId }: TestAgent, place: string) => {
        const data = { type: 'workspaces', attributes: { 'execution-mode': 'remote' } };
        await acme.owner.call('PATCH', `/workspaces/${place}`, { data });
        return acme.owner.call('DELETE', `/agent-pools/${poolId}`);
      },
    };
    for (const [name, end] of Object.entries(ways)) {
      const own = await agents.pool(name);
      const theirs = await agents.agent(own);
      const place = await runs.workspace(name, byAgents(own));
      await runs.run(place);
      const taken = await theirs.take();
      expect(await alive(taken), name).toBe(200);
      expect((await end(theirs, place)).status, name).toBeLessThan(300);
      expect(await alive(taken), name).toBe(401);
    }
  });

  test('stays valid after the token of the pool has expired, for as long as a signed URL would', async () => {
    const own = await agents.pool('brief');
    const token = await agents.token(own, { 'expired-at': new Date(api.now() + MINUTE).toISOString() });
    const brief = await agents.agent(own, token);
    await runs.run(await runs.workspace('two', byAgents(own)));
    const taken = await brief.take();
    api.advance(MINUTE);
    expect((await brief.claim()).status).toBe(401);
    expect(await alive(taken)).toBe(200);
    api.advance(24 * 60 * MINUTE);
    expect(await alive(taken)).toBe(401);
  });

  test("is valid with or without the agent's ID in a header", async () => {
    const { text } = await agents.token(pool);
    const holder = api.holder(text);
    const made = await holder.call('POST', '/agents', { data: { type: 'agents', attributes: { name: 'a' } } });
    const id = created(made);
    expect(made.body.data.relationships['agent-pool'].data.id).toBe(pool);
    await runs.run(await runs.workspace('two', byAgents(pool)));
    const taken = jobOf(api, (await holder.call('POST', `/agents/${id}/actions/claim`)).body.data);
    expect((await taken.start()).status).toBe(204);
    const idle = { data: { type: 'agents', attributes: { status: 'busy' } } };
    expect((await holder.call('PATCH', `/agents/${id}`, idle)).status).toBe(200);
    expect(await alive(taken)).toBe(200);
    expect(api.lastEvent()).toMatchObject({
      ...{ actor_kind: 'agent', actor_id: id, actor_agent_pool: pool },
      ...{ actor_job: taken.id, actor_run: taken.runId },
    });
  });

  test('is not for the engine, whose own token reads states and has no access to the job', async () => {
    const other = await runs.workspace('two', byAgents(pool));
    const engineOf = ({ data }: TestJob) => api.holder(data.attributes['run-token']);
    const current = (of: TestJob, id: string) => engineOf(of).call('GET', `/workspaces/${id}/current-state-version`);
    expect((await current(job, workspace)).body.errors[0].status).toBe('404');
    const state = versionBody(
      stateText(1),
      { serial: 1, state: base64(stateText(1)) },
      { run: { data: { type: 'runs', id: run } } },
    );
    await job.finish('finished', { 'has-changes': true });
    expect((await current(job, workspace)).status).toBe(401);
    await runs.act(run, 'apply');
    const apply = await agent.take();
    await apply.start();
    expect((await apply.call('POST', `/workspaces/${workspace}/state-versions`, state)).status).toBe(201);
    expect((await current(apply, workspace)).status).toBe(200);
    const requests = [
      ['GET', `/workspaces/${other}/current-state-version`],
      ['POST', `/workspaces/${workspace}/state-versions`, state],
      ['GET', `/jobs/${apply.id}`],
      ['POST', `/jobs/${apply.id}/actions/heartbeat`],
      ['GET', `/runs/${run}`],
      ['PUT', `/plans/${job.id}/json-output`, {}],
      ['POST', `/agents/${agent.id}/actions/claim`],
      ['GET', `/workspaces/${workspace}/vars`],
    ] as const;
    expect(await asked(engineOf(apply), requests)).toEqual(requests.map(([method, path]) => `404 ${method} ${path}`));
    await apply.finish('failed');
    expect((await current(apply, workspace)).status).toBe(401);
  });

  test('is only in the responses to the claim and to a request for the job itself', async () => {
    const shown = [
      await acme.owner.call('GET', `/runs/${run}?include=plan,apply,workspace`),
      await acme.owner.call('GET', `/plans/${job.id}`),
      await acme.owner.call('GET', `/agents/${agent.id}`),
      await acme.owner.call('GET', `/runs/${run}/run-events`),
    ];
    for (const { text } of shown) expect(text).not.toContain('lkj.');
  });
});
