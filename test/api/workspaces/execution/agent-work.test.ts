import { describe, expect, test } from 'vitest';
import { databaseKinds } from '../../../support/databases.ts';
import { archive } from '../../../support/samples/archive.ts';
import { NOT_STARTED, withAgentPool } from '../support/agent-pool.ts';
import { agentsOf, byAgents, jobOf, type TestAgent } from '../support/agents.ts';
import type { Caller } from '../support/api.ts';
import { newOrganization } from '../support/organization.ts';
import { atAddress, base64, stateText, versionBody } from '../support/states.ts';

const MINUTE = 60_000;

describe.each(databaseKinds)('runs that agents execute on %s', (kind) => {
  let { api, acme, runs, agents, pool } = NOT_STARTED;
  withAgentPool(kind, (made) => {
    ({ api, acme, runs, agents, pool } = made);
  });

  /** The run whose plan or apply it is given. */
  const claimed = async (agent: TestAgent) => (await agent.claim()).body?.data.attributes['run-id'];
  const append = (caller: Caller, phase: string, offset: number, text: string) =>
    caller.call('POST', `/${phase}/actions/append-log`, { data: { attributes: { offset, content: base64(text) } } });
  const logOf = async (phase: string) => {
    const { attributes } = (await acme.owner.call('GET', `/${phase}`)).body.data;
    return (await atAddress(api, 'GET', attributes['log-read-url'])).text;
  };
  const state = (serial: number, runId?: string) =>
    versionBody(
      stateText(serial),
      { serial, state: base64(stateText(serial)) },
      {
        ...(runId && { run: { data: { type: 'runs', id: runId } } }),
      },
    );

  test('a run goes from the queue to its end: configuration, variables, logs, a state', async () => {
    const workspace = await runs.workspace('one', byAgents(pool));
    const agent = await agents.agent(pool);
    expect((await agent.claim()).status).toBe(204);
    const run = await runs.run(workspace);
    expect(await runs.statusOf(run)).toBe('plan_queued');
    const { plan, apply, 'configuration-version': configuration } = (await runs.show(run)).relationships;
    const planning = await agent.take();
    const expected = { id: plan.data.id, type: 'jobs', attributes: { phase: 'plan', 'run-id': run } };
    expect(planning.data).toMatchObject(expected);

    expect((await planning.start()).status).toBe(204);
    expect(await runs.statusOf(run)).toBe('planning');
    const downloaded = await planning.call('GET', `/configuration-versions/${configuration.data.id}/download`);
    expect(downloaded.text).toBe(archive(configuration.data.id).toString());
    expect((await planning.log(0, 'Pla')).status).toBe(200);
    expect((await planning.log(3, 'nning')).status).toBe(200);
    expect((await planning.finish('finished', { 'has-changes': true, 'resource-additions': 1 })).status).toBe(204);
    expect(await logOf(`plans/${plan.data.id}`)).toBe('\u0002Planning\u0003');

    // The job of the plan is finished. Its token is not valid for the apply, which another agent may execute.
    expect((await planning.finish('failed')).status).toBe(401);
    expect((await agent.claim()).status).toBe(204);
    expect((await runs.act(run, 'apply')).status).toBe(202);
    const applying = await agent.take();
    expect(applying.data).toMatchObject({ id: apply.data.id, attributes: { phase: 'apply', 'run-id': run } });
    expect((await applying.start()).status).toBe(204);
    expect((await applying.log(0, 'Applying')).status).toBe(200);
    const stored = await applying.call('POST', `/workspaces/${workspace}/state-versions`, state(1, run));
    expect(stored.status, stored.text).toBe(201);
    expect(stored.body.data.relationships['created-by'].data).toEqual({ type: 'agents', id: agent.id });
    expect((await applying.finish('finished')).status).toBe(204);
    expect(await runs.statusOf(run)).toBe('applied');

    const after = await runs.place(workspace);
    expect(after.attributes.locked).toBe(false);
    expect(after.relationships['current-state-version'].data.id).toBe(stored.body.data.id);
    expect((await applying.finish('failed')).status).toBe(401);
    expect(await runs.statusOf(run)).toBe('applied');
    expect((await agent.claim()).status).toBe(204);
  });

  test('a state is announced and uploaded for the run that holds the lock, and for no other', async () => {
    const [workspace, other] = [
      await runs.workspace('one', byAgents(pool)),
      await runs.workspace('other', byAgents(pool)),
    ];
    const agent = await agents.agent(pool);
    const path = `/workspaces/${workspace}/state-versions`;
    const [run, foreign] = [await runs.run(workspace, { 'auto-apply': true }), await runs.run(other)];
    expect((await agent.call('POST', path, state(1, run))).status).toBe(404);
    const plan = await agent.take();
    expect(plan.runId).toBe(run);
    await plan.start();
    await plan.finish('finished', { 'has-changes': true });
    const job = await agent.take();
    await job.start();
    expect(job.runId).toBe(run);
    expect((await agent.call('POST', path, state(1, run))).status).toBe(404);
    expect((await job.call('POST', path, state(1))).status).toBe(409);
    expect((await job.call('POST', path, state(1, foreign))).status).toBe(404);
    expect((await job.call('POST', `/workspaces/${other}/state-versions`, state(1, foreign))).status).toBe(404);
    const run1 = { run: { data: { type: 'runs', id: run } } };
    const announced = await job.call('POST', path, versionBody(stateText(1), { serial: 1 }, run1));
    const { attributes, id } = announced.body.data;
    expect((await atAddress(api, 'PUT', attributes['hosted-state-upload-url'], stateText(1))).status).toBe(200);
    expect((await job.call('GET', `/state-versions/${id}/download`)).text).toBe(stateText(1));
    await job.finish('failed');
    expect(await runs.statusOf(run)).toBe('errored');
    expect((await job.call('GET', `/state-versions/${id}/download`)).status).toBe(409);
    expect((await job.call('POST', path, state(2, run))).status).toBe(409);
  });

  test('a speculative plan reads the state and writes none, and ends after its plan', async () => {
    const workspace = await runs.workspace('one', byAgents(pool));
    const lock = (action: string) => acme.owner.call('POST', `/workspaces/${workspace}/actions/${action}`);
    await lock('lock');
    expect((await acme.owner.call('POST', `/workspaces/${workspace}/state-versions`, state(1))).status).toBe(201);
    await lock('unlock');
    const run = await runs.run(workspace, { 'plan-only': true });
    const agent = await agents.agent(pool);
    const { id } = (await acme.owner.call('GET', `/workspaces/${workspace}/current-state-version`)).body.data;
    const current = async ({ call }: Caller) => (await call('GET', `/state-versions/${id}/download`)).status;
    expect(await current(agent)).toBe(404);
    const job = await agent.take();
    expect(job.runId).toBe(run);
    expect((await job.start()).status).toBe(204);
    expect([await current(agent), await current(job)]).toEqual([404, 200]);
    expect((await job.call('POST', `/workspaces/${workspace}/state-versions`, state(2, run))).status).toBe(404);
    const times = (await runs.show(run)).attributes['status-timestamps'];
    expect(Object.keys(times)).toEqual(expect.arrayContaining(['plan-queueable-at', 'plan-queued-at', 'planning-at']));
    expect((await job.finish('finished', { 'has-changes': true })).status).toBe(204);
    expect(await runs.statusOf(run)).toBe('planned_and_finished');
    expect(await current(job)).toBe(401);
  });

  test('the variables of a run, secrets included, are only for the agent that has taken it', async () => {
    const workspace = await runs.workspace('one', byAgents(pool));
    const variable = (key: string, value: string, more: object = {}) => ({
      data: { type: 'vars', attributes: { key, value, category: 'terraform', ...more } },
    });
    const add = (path: string, body: object) => acme.owner.call('POST', path, body);
    await add(`/workspaces/${workspace}/vars`, variable('password', 's3cret', { sensitive: true }));
    await add(`/workspaces/${workspace}/vars`, variable('region', 'here'));
    await add(`/workspaces/${workspace}/vars`, variable('fixed', 'mine'));
    const varset = async (name: string, priority: boolean) =>
      (
        await add(`/organizations/${acme.name}/varsets`, {
          data: { type: 'varsets', attributes: { name, global: true, priority } },
        })
      ).body.data.id;
    const [prior, common] = [await varset('prior', true), await varset('common', false)];
    await add(`/varsets/${prior}/relationships/vars`, variable('fixed', 'theirs', { sensitive: true }));
    await add(`/varsets/${common}/relationships/vars`, variable('TOKEN', 'abc', { category: 'env', sensitive: true }));
    await add(`/varsets/${common}/relationships/vars`, variable('region', 'nowhere'));
    const own = [
      { key: 'region', value: '"there"' },
      { key: 'fixed', value: '"run"' },
    ];
    const run = await runs.run(workspace, { variables: own });
    const [agent, idle] = [await agents.agent(pool), await agents.agent(pool)];
    const read = `/jobs/${(await runs.show(run)).relationships.plan.data.id}`;
    expect((await agent.call('GET', read)).status).toBe(404);
    const given = await agent.claim();
    const job = jobOf(api, given.body.data);
    expect(job.runId).toBe(run);
    const answer = await job.call('GET', read);
    for (const { headers } of [given, answer]) expect(headers['cache-control']).toBe('no-store');
    expect(answer.body.data).toEqual(job.data);
    const values = job.data.attributes.variables.map(
      ({ key, value, category, hcl, sensitive }: Record<string, unknown>) => [key, value, category, hcl, sensitive],
    );
    expect(values.toSorted()).toEqual([
      ['TOKEN', 'abc', 'env', false, true],
      ['fixed', 'theirs', 'terraform', false, true],
      ['password', 's3cret', 'terraform', false, true],
      ['region', '"there"', 'terraform', true, false],
    ]);
    for (const caller of [agent, idle, acme.owner]) expect((await caller.call('GET', read)).status).toBe(404);
    expect((await job.call('GET', `/workspaces/${workspace}/vars`)).status).toBe(404);
    await agent.say('exited');
    expect((await job.call('GET', read)).status).toBe(401);
  });

  test('each run goes to one of many agents that ask at once', async () => {
    const workspaces = await Promise.all(
      Array.from({ length: 6 }, (_, index) => runs.workspace(`w-${index}`, byAgents(pool))),
    );
    const queued: string[] = [];
    for (const workspace of workspaces) queued.push(await runs.run(workspace));
    const crew = await Promise.all(Array.from({ length: 10 }, () => agents.agent(pool)));
    const taken = await Promise.all(crew.map(claimed));
    const given = taken.filter((id) => id !== undefined);
    expect(given.toSorted()).toEqual(queued.toSorted());
    // An agent that asks again gets its own run again, and no run goes to two agents.
    expect(await Promise.all(crew.map(claimed))).toEqual(taken);
    const twice = await agents.agent(pool);
    await runs.run(await runs.workspace('late', byAgents(pool)));
    await runs.run(await runs.workspace('later', byAgents(pool)));
    for (const agent of crew) await agent.say('exited');
    const asked = await Promise.all([1, 2, 3].map(() => claimed(twice)));
    expect(new Set(asked).size).toBe(1);
  });

  test('an agent drives the run that it has taken, and no other', async () => {
    const [first, second] = [
      await runs.run(await runs.workspace('one', byAgents(pool))),
      await runs.run(await runs.workspace('two', byAgents(pool))),
    ];
    const [agent, other] = [await agents.agent(pool), await agents.agent(pool)];
    expect((await runs.report(first, 'planning', {}, agent)).status).toBe(404);
    const [job, foreign] = [await agent.take(), await other.take()];
    expect([job.runId, foreign.runId]).toEqual([first, second]);
    for (const caller of [agent, job, api.holder(agent.token)]) {
      expect((await caller.call('POST', `/jobs/${foreign.id}/actions/start`)).status).toBe(404);
      expect((await append(caller, `plans/${foreign.id}`, 0, 'x')).status).toBe(404);
      for (const action of ['apply', 'discard', 'cancel', 'force-cancel', 'force-execute']) {
        expect((await runs.act(first, action, undefined, caller)).status, action).toBe(404);
      }
      expect((await runs.report(first, 'planning', {}, caller)).status).toBe(404);
    }
    for (const caller of [agent, api.holder(agent.token)]) {
      expect((await caller.call('POST', `/jobs/${job.id}/actions/start`)).status).toBe(404);
      expect((await append(caller, `plans/${job.id}`, 0, 'x')).status).toBe(404);
    }
    expect((await job.start()).status).toBe(204);
  });

  test('a run that a lost agent has not started is free again, and that agent does not get it back', async () => {
    const run = await runs.run(await runs.workspace('one', byAgents(pool)));
    const [silent, next] = [await agents.agent(pool), await agents.agent(pool)];
    const lost = await silent.take();
    expect(lost.runId).toBe(run);
    api.advance(2 * MINUTE);
    await next.say('idle');
    expect((await next.claim()).status).toBe(204);
    api.advance(1);
    const job = await next.take();
    expect(job.runId).toBe(run);
    expect((await lost.start()).status).toBe(401);
    expect((await job.start()).status).toBe(204);
  });

  test('a run that a lost agent has started fails, with a reason in its log, and the workspace is free for the next run', async () => {
    const workspace = await runs.workspace('one', byAgents(pool));
    const [first, second] = [await runs.run(workspace), await runs.run(workspace)];
    const agent = await agents.agent(pool);
    const job = await agent.take();
    expect(job.runId).toBe(first);
    await job.start();
    await job.log(0, 'Planning');
    await agent.say('busy');
    api.advance(2 * MINUTE);
    await api.workspaces.execution.runClaims.sweep();
    expect(await runs.statusOf(first)).toBe('planning');
    api.advance(1);
    await api.workspaces.execution.runClaims.sweep();
    expect([await runs.statusOf(first), await runs.statusOf(second)]).toEqual(['errored', 'plan_queued']);
    const why = `The agent runner-1 (${agent.id}) is lost. Its progress is unknown.`;
    expect(await logOf(`plans/${job.id}`)).toContain(`Planning\n${why}\n`);
    const events = (await acme.owner.call('GET', `/runs/${first}/run-events`)).body.data;
    expect(events.at(-1).attributes).toMatchObject({ action: 'errored', description: why });
    expect((await job.finish('finished', { 'has-changes': true })).status).toBe(409);
    expect(await runs.statusOf(first)).toBe('errored');
    expect(await claimed(agent)).toBe(second);
  });

  test('an agent that deregisters, or whose token is deleted, leaves no lock behind', async () => {
    const [one, two] = [await runs.workspace('one', byAgents(pool)), await runs.workspace('two', byAgents(pool))];
    const [polite, dismissed] = [await agents.agent(pool), await agents.agent(pool)];
    const first = await runs.run(one);
    const job = await polite.take();
    expect(job.runId).toBe(first);
    await job.start();
    await runs.act(first, 'cancel');
    await polite.say('exited');
    expect(await runs.statusOf(first)).toBe('canceled');
    const second = await runs.run(two);
    const other = await dismissed.take();
    expect(other.runId).toBe(second);
    await other.start();
    await acme.owner.call('DELETE', `/authentication-tokens/${dismissed.tokenId}`);
    await api.workspaces.execution.runClaims.sweep();
    expect(await runs.statusOf(second)).toBe('errored');
    for (const id of [one, two]) expect((await runs.place(id)).attributes.locked).toBe(false);
  });

  describe('the pool of a workspace', () => {
    const defaultTo = (path: string, type: string, poolId: string) =>
      acme.owner.call('PATCH', path, {
        data: {
          type,
          attributes: { 'default-execution-mode': 'agent' },
          relationships: { 'default-agent-pool': { data: { type: 'agent-pools', id: poolId } } },
        },
      });

    test('is its own, or else that of its project, or else of the organization', async () => {
      const [ofProject, own] = [await agents.pool('project'), await agents.pool('own')];
      await defaultTo(`/organizations/${acme.name}`, 'organizations', pool);
      const project = await acme.project('Net');
      await defaultTo(`/projects/${project}`, 'projects', ofProject);
      const inProject = { project: { data: { type: 'projects', id: project } } };
      const places = {
        organization: await acme.workspace('a'),
        project: await acme.workspace('b', {}, inProject),
        own: await acme.workspace('c', byAgents(own), inProject),
        remote: await acme.workspace('d', { 'execution-mode': 'remote' }, inProject),
      };
      const queued: Record<string, string> = {};
      for (const [name, workspace] of Object.entries(places)) {
        await runs.uploaded(workspace);
        queued[name] = await runs.run(workspace);
      }
      for (const [poolId, name] of [
        [pool, 'organization'],
        [ofProject, 'project'],
        [own, 'own'],
      ] as const) {
        const agent = await agents.agent(poolId);
        const job = await agent.take();
        expect(job.runId).toBe(queued[name]);
        expect(job.data.attributes.workspace.id).toBe(places[name]);
        expect(await claimed(await agents.agent(poolId))).toBeUndefined();
      }
    });

    test('applies only to workspaces in its scope; started runs finish', async () => {
      const [one, two] = [await runs.workspace('one', byAgents(pool)), await runs.workspace('two', byAgents(pool))];
      const run = await runs.run(one);
      const job = await (await agents.agent(pool)).take();
      expect(job.runId).toBe(run);
      const waiting = await runs.run(two);
      /** Returns the job that the next agent gets, and gives it back. */
      const given = async () => {
        const agent = await agents.agent(pool);
        const id = await claimed(agent);
        await agent.say('exited');
        return id;
      };
      const scope = (attributes: object, relationships: object = {}) =>
        acme.owner.call('PATCH', `/agent-pools/${pool}`, { data: { type: 'agent-pools', attributes, relationships } });
      const refs = (...ids: string[]) => ({ data: ids.map((id) => ({ type: 'workspaces', id })) });
      const seen = async () => (await job.call('GET', `/jobs/${job.id}`)).status;
      expect([await given(), await seen()]).toEqual([waiting, 200]);
      await scope({ 'organization-scoped': false });
      expect([await given(), await seen()]).toEqual([undefined, 200]);
      await scope({}, { 'allowed-workspaces': refs(two) });
      expect([await given(), await seen()]).toEqual([waiting, 200]);
      await scope(
        { 'organization-scoped': true },
        { 'allowed-workspaces': refs(), 'excluded-workspaces': refs(one, two) },
      );
      expect([await given(), await seen()]).toEqual([undefined, 200]);
      expect((await job.start()).status).toBe(204);
      expect((await job.finish('failed')).status).toBe(204);
      expect(await seen()).toBe(409);
      api.advance(10 * MINUTE + 1);
      expect(await seen()).toBe(401);
      expect((await runs.create(one)).status).toBe(422);
      expect(await given()).toBeUndefined();
    });

    test('is never that of another organization', async () => {
      const workspace = await runs.workspace('one', byAgents(pool));
      const run = await runs.run(workspace);
      const foreign = agentsOf(api, await newOrganization(api));
      const stranger = await foreign.agent(await foreign.pool('first'));
      expect((await stranger.claim()).status).toBe(204);
      for (const path of [`/workspaces/${workspace}`, `/runs/${run}`, `/workspaces/${workspace}/runs`]) {
        expect((await stranger.call('GET', path)).status, path).toBe(404);
      }
      expect((await runs.report(run, 'planning', {}, stranger)).status).toBe(404);
    });
  });
});
