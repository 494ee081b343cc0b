import { describe, expect, test } from 'vitest';
import { databaseKinds } from '../../../../support/databases.ts';
import { NOT_STARTED, withAgentPool } from '../../support/agent-pool.ts';
import { byAgents, type TestAgent } from '../../support/agents.ts';
import type { Answer, Caller } from '../../support/api.ts';
import { plannedRun } from '../../support/planned-runs.ts';
import { atAddress, base64, stateText, versionBody } from '../../support/states.ts';
import { change, newMember, onWorkspace } from '../../support/team-access.ts';

describe.each(databaseKinds)('preconditions of a plan, checked before its apply, on %s', (kind) => {
  let { api, acme, runs, agents, pool } = NOT_STARTED;
  let agent: TestAgent;
  let workspace: string;
  withAgentPool(kind, async (made) => {
    ({ api, acme, runs, agents, pool } = made);
    agent = await agents.agent(pool);
    workspace = await runs.workspace('one', byAgents(pool));
  });

  const lock = (action: string, caller: Caller = acme.owner) =>
    caller.call('POST', `/workspaces/${workspace}/actions/${action}`, { reason: 'freeze' });
  async function set(attributes: object): Promise<void> {
    const answer = await acme.owner.call('PATCH', `/workspaces/${workspace}`, change('workspaces', attributes));
    expect(answer.status, answer.text).toBe(200);
  }
  const sweep = () => api.workspaces.execution.runReconciler.sweep();
  const detailOf = ({ status, body }: Answer) => [status, body?.errors?.[0]?.detail ?? ''];
  const locked = async () => (await runs.place(workspace)).attributes.locked;
  const lastEvent = async (run: string) => {
    const { data } = (await acme.owner.call('GET', `/runs/${run}/run-events`)).body;
    return data
      .map(({ attributes }: { attributes: { action: string; description: string | null } }) => attributes)
      .at(-1);
  };

  const planned = (attributes: object = {}, engine?: object | null) =>
    plannedRun(runs, agent, workspace, attributes, engine);
  const confirm = (run: string, caller: Caller = acme.owner) => runs.act(run, 'apply', undefined, caller);

  /** The run ends by itself with a reason, and releases the workspace. */
  async function expectEnded(run: string, reason: string): Promise<void> {
    expect(await runs.statusOf(run)).toBe('errored');
    expect((await lastEvent(run)).description).toContain(reason);
    const { id } = (await runs.show(run)).relationships.apply.data;
    const { attributes } = (await acme.owner.call('GET', `/applies/${id}`)).body.data;
    expect((await atAddress(api, 'GET', attributes['log-read-url'])).text).toContain(reason);
    const next = await runs.run(workspace);
    expect(['plan_queued', 'pending']).toContain(await runs.statusOf(next));
  }

  describe('the lock', () => {
    test('that another user holds: confirming is refused, with the holder', async () => {
      const run = await planned();
      await lock('force-unlock');
      await lock('lock');
      const [status, detail] = detailOf(await confirm(run));
      expect([status, detail]).toEqual([
        409,
        expect.stringContaining(`user ${acme.owner.username} (${acme.owner.id})`),
      ]);
      expect(await runs.statusOf(run)).toBe('planned');
      await lock('unlock');
      expect((await confirm(run)).status).toBe(202);
      expect((await agent.take()).runId).toBe(run);
    });

    test('that no agent holds is handed out again', async () => {
      const run = await planned();
      await lock('force-unlock');
      expect(await locked()).toBe(false);
      expect((await confirm(run)).status).toBe(202);
      expect((await runs.place(workspace)).relationships['locked-by'].data).toEqual({ type: 'runs', id: run });
      expect((await lock('lock')).status).toBe(409);
    });

    test('that is taken between confirmation and hand-out ends the run, and the next one is handed out', async () => {
      const run = await planned();
      await confirm(run);
      await lock('force-unlock');
      await lock('lock');
      const second = await runs.run(await runs.workspace('two', byAgents(pool)));
      expect((await agent.take()).runId).toBe(second);
      await expectEnded(run, 'has lost the lock');
      expect((await lock('unlock')).status).toBe(200);
    });

    test('that is taken between handing out and starting: the job is not started', async () => {
      const run = await planned();
      await confirm(run);
      const job = await agent.take();
      await lock('force-unlock');
      await lock('lock');
      const [status, detail] = detailOf(await job.start());
      expect([status, detail]).toEqual([409, expect.stringContaining('has lost the lock')]);
      await expectEnded(run, 'has lost the lock');
    });

    test('that is taken prevents auto-apply: the run waits for confirmation', async () => {
      const run = await runs.run(workspace, { 'auto-apply': true });
      const job = await agent.take();
      await job.start();
      await lock('force-unlock');
      await lock('lock');
      await job.finish('finished', { 'has-changes': true });
      expect(await runs.statusOf(run)).toBe('planned');
      expect((await runs.show(run)).attributes).toMatchObject({
        'auto-apply': false,
        actions: { 'is-confirmable': true },
      });
      expect(await lastEvent(run)).toMatchObject({
        action: 'auto_apply_refused',
        description: expect.stringContaining('has lost the lock'),
      });
      await lock('unlock');
      expect((await confirm(run)).status).toBe(202);
    });

    test('of a saved plan is waited for', async () => {
      const run = await planned({ 'save-plan': true });
      await lock('lock');
      expect((await confirm(run)).status).toBe(202);
      expect((await agent.claim()).status).toBe(204);
      await lock('unlock');
      expect((await agent.take()).runId).toBe(run);
    });
  });

  describe('the execution mode', () => {
    test('that is local now: confirming is refused, in words', async () => {
      const run = await planned();
      await set({ 'execution-mode': 'local' });
      expect(detailOf(await confirm(run))).toEqual([
        409,
        expect.stringContaining('execution mode of the workspace is "local"'),
      ]);
      expect((await runs.act(run, 'discard')).status).toBe(202);
      expect(await locked()).toBe(false);
    });

    test('that becomes local while an apply waits ends the run, and unlocks the workspace', async () => {
      const run = await planned();
      await confirm(run);
      await set({ 'execution-mode': 'local' });
      expect((await agent.claim()).status).toBe(204);
      await sweep();
      expect(await locked()).toBe(false);
      await set(byAgents(pool));
      await expectEnded(run, 'is "local" now');
    });

    test('that becomes local while a plan waits ends the run, too', async () => {
      const run = await runs.run(workspace);
      await set({ 'execution-mode': 'local' });
      await sweep();
      expect([await runs.statusOf(run), await locked()]).toEqual(['errored', false]);
      expect((await lastEvent(run)).description).toContain('Nothing was planned');
    });
  });

  test('that becomes local while a run is queued behind another: it ends when it is first in the queue', async () => {
    const first = await planned();
    const second = await runs.run(workspace);
    await set({ 'execution-mode': 'local' });
    await runs.act(first, 'discard');
    expect(await runs.statusOf(second)).toBe('plan_queued');
    await sweep();
    expect([await runs.statusOf(second), await locked()]).toEqual(['errored', false]);
  });

  describe('the agent pool', () => {
    test('that is now another pool: its agents apply, with the files of the plan', async () => {
      const run = await planned();
      const second = await agents.pool('second');
      await set(byAgents(second));
      expect((await confirm(run)).status).toBe(202);
      expect((await agent.claim()).status).toBe(204);
      const job = await (await agents.agent(second)).take();
      expect(job.runId).toBe(run);
      await job.start();
      expect((await job.call('GET', job.data.links.folder.replace('/api/v2', ''))).status).toBe(200);
    });

    test('that changes while the apply waits takes it along', async () => {
      const run = await planned();
      await confirm(run);
      const second = await agents.pool('second');
      await set(byAgents(second));
      await sweep();
      expect((await (await agents.agent(second)).take()).runId).toBe(run);
    });

    test('that does not serve the workspace any more: confirming is refused', async () => {
      const run = await planned();
      await acme.owner.call('PATCH', `/agent-pools/${pool}`, change('agent-pools', { 'organization-scoped': false }));
      expect(detailOf(await confirm(run))).toEqual([409, expect.stringContaining('agent pool first does not serve')]);
    });
  });

  describe('users who require it', () => {
    /** A machine whose team may apply, until its access is set to something else. */
    async function applier(): Promise<{ caller: Caller; reduce: (access: string) => Promise<Answer> }> {
      const { id, caller } = await newMember(acme, api, 'appliers');
      const made = await acme.owner.call('POST', '/team-workspaces', onWorkspace(id, workspace, { access: 'write' }));
      const reduce = (access: string) =>
        acme.owner.call('PATCH', `/team-workspaces/${made.body.data.id}`, change('team-workspaces', { access }));
      return { caller, reduce };
    }

    test('loses the permission after confirming: the run ends when it is handed out', async () => {
      const { caller, reduce } = await applier();
      const run = await planned();
      expect((await confirm(run, caller)).status).toBe(202);
      expect((await reduce('read')).status).toBe(200);
      expect((await agent.claim()).status).toBe(204);
      await expectEnded(run, 'team appliers may not apply');
    });

    test('loses the permission during the plan of an auto-apply run: the run waits for a user who has it', async () => {
      const { caller, reduce } = await applier();
      const made = await runs.create(workspace, { 'auto-apply': true }, undefined, caller);
      const run = made.body.data.id;
      const job = await agent.take();
      await job.start();
      await reduce('plan');
      await job.finish('finished', { 'has-changes': true });
      expect(await runs.statusOf(run)).toBe('planned');
      expect((await lastEvent(run)).description).toContain('team appliers may not apply');
      expect((await confirm(run)).status).toBe(202);
      expect((await agent.take()).runId).toBe(run);
    });

    test('is suspended: their confirmed run is not applied', async () => {
      const run = await planned();
      await confirm(run);
      const { users } = api.workspaces.tenancy;
      await users.markSuspended(acme.owner.id, api.now());
      expect((await agent.claim()).status).toBe(204);
      await users.markSuspended(acme.owner.id, null);
      await expectEnded(run, `user ${acme.owner.username} may not apply`);
    });
  });

  describe('the variables', () => {
    const add = (key: string, value: string) =>
      acme.owner.call('POST', `/workspaces/${workspace}/vars`, change('vars', { key, value, category: 'env' }));

    test('with another key, of its own or of a set: confirming is refused, and says which', async () => {
      const kept = (await add('OLD', '1')).body.data.id;
      const run = await planned();
      await add('NEW', '2');
      await acme.owner.call('DELETE', `/workspaces/${workspace}/vars/${kept}`);
      const sets = `/organizations/${acme.name}/varsets`;
      const made = await acme.owner.call('POST', sets, change('varsets', { name: 'all', global: true }));
      const inSet = change('vars', { key: 'region', value: 'here', category: 'terraform' });
      await acme.owner.call('POST', `/varsets/${made.body.data.id}/relationships/vars`, inSet);
      const [status, detail] = detailOf(await confirm(run));
      expect([status, detail]).toEqual([
        409,
        expect.stringContaining('added env/NEW, terraform/region; removed env/OLD'),
      ]);
    });

    test('with another key since the plan was handed out, and before its agent has started it: refused, too', async () => {
      const run = await runs.run(workspace);
      const job = await agent.take();
      await add('LATE', '1');
      await job.start();
      await job.finish('finished', { 'has-changes': true });
      expect(detailOf(await confirm(run))).toEqual([409, expect.stringContaining('added env/LATE')]);
    });

    test('the document that the agent reads last before the apply has those of the plan', async () => {
      const run = await runs.run(workspace);
      const job = await agent.take();
      await add('LATE', '1');
      const { variables } = (await job.call('GET', `/jobs/${job.id}`)).body.data.attributes;
      expect(variables).toMatchObject([{ key: 'LATE' }]);
      await job.start();
      await job.finish('finished', { 'has-changes': true });
      expect((await confirm(run)).status).toBe(202);
    });

    test('with other values are no obstacle: a credential that was renewed is the one to use', async () => {
      const id = (await add('TOKEN', 'old')).body.data.id;
      const run = await planned({ variables: [{ key: 'given', value: '"by the run"' }] });
      await acme.owner.call('PATCH', `/workspaces/${workspace}/vars/${id}`, change('vars', { value: 'new' }));
      expect((await confirm(run)).status).toBe(202);
      const { variables } = (await agent.take()).data.attributes;
      expect(variables.find(({ key }: { key: string }) => key === 'TOKEN').value).toBe('new');
    });
  });

  test('the state: the error names a newer state, instead of a stale plan', async () => {
    const run = await planned();
    await lock('force-unlock');
    await lock('lock');
    const body = versionBody(stateText(1), { serial: 1, state: base64(stateText(1)) });
    expect((await acme.owner.call('POST', `/workspaces/${workspace}/state-versions`, body)).status).toBe(201);
    await lock('unlock');
    expect(detailOf(await confirm(run))).toEqual([409, expect.stringContaining('state of the workspace was changed')]);
  });

  describe('the engine', () => {
    test('is the exact release of the plan, even if the workspace requires another one now', async () => {
      await set({ 'engine-version': '~> 1.10.0' });
      const run = await planned();
      await set({ 'engine-version': '1.11.0' });
      await confirm(run);
      const { engine } = (await agent.take()).data.attributes;
      expect(engine).toMatchObject({ kind: 'opentofu', version: '1.10.7' });
    });

    test('of a constraint is the release of the plan, if its agent reports none', async () => {
      await set({ 'engine-version': '~> 1.10.0' });
      const run = await planned({}, null);
      const { 'terraform-version': version } = (await runs.show(run)).attributes;
      expect(version).toMatch(/^1\.10\.\d+$/);
      await set({ 'engine-version': '~> 1.11.0' });
      await confirm(run);
      expect((await agent.take()).data.attributes.engine).toMatchObject({ version });
    });
  });

  test('the place: an apply is in the folder and under the name of its plan', async () => {
    await set({ 'working-directory': 'network' });
    const run = await planned();
    await set({ 'working-directory': 'elsewhere', name: 'renamed' });
    await confirm(run);
    const { workspace: place } = (await agent.take()).data.attributes;
    expect(place).toEqual({ id: workspace, name: 'one', 'working-directory': 'network' });
  });

  test('all failed checks are reported at once', async () => {
    const run = await planned();
    await lock('force-unlock');
    await lock('lock');
    await set({ 'execution-mode': 'local' });
    const [, detail] = detailOf(await confirm(run));
    expect(detail).toMatch(/lost the lock.*"local"/);
  });
});
