import { describe, expect, test } from 'vitest';
import { databaseKinds } from '../../../../support/databases.ts';
import { NOT_STARTED, withAgentPool } from '../../support/agent-pool.ts';
import { byAgents } from '../../support/agents.ts';

describe.each(databaseKinds)('the reason of a waiting run, on %s', (kind) => {
  let { api, acme, runs, agents, pool } = NOT_STARTED;
  withAgentPool(kind, (made) => {
    ({ api, acme, runs, agents, pool } = made);
  });

  const waitingFor = async (run: string) => (await runs.show(run)).attributes['waiting-for'];
  const told = async (run: string): Promise<string[]> =>
    (await acme.owner.call('GET', `/runs/${run}/run-events`)).body.data
      .filter(({ attributes }: { attributes: { action: string } }) => attributes.action === 'waiting_for_workspace')
      .map(({ attributes }: { attributes: { description: string } }) => attributes.description);
  const lock = (id: string, action: string, body: object = {}) =>
    acme.owner.call('POST', `/workspaces/${id}/actions/${action}`, body);

  test('for the lock of a user: at once, in an event, in every list, and until it is unlocked', async () => {
    const workspace = await runs.workspace('locked', byAgents(pool));
    await runs.run(workspace, { 'plan-only': true });
    const job = await (await agents.agent(pool)).take();
    await job.start();
    await job.finish('failed');
    const at = new Date(api.now()).toISOString();
    await lock(workspace, 'lock', { reason: 'freeze' });
    const run = await runs.run(workspace);
    const reason = await waitingFor(run);
    expect(reason).toContain('The workspace is locked by user ');
    expect(reason).toContain(` since ${at} (freeze). Unlock it to start the run`);
    expect(await told(run)).toEqual([reason]);
    for (const list of [`/workspaces/${workspace}/runs`, `/organizations/${acme.name}/runs`]) {
      const { data } = (await acme.owner.call('GET', list)).body;
      expect(data.find(({ id }: { id: string }) => id === run).attributes['waiting-for']).toBe(reason);
    }
    // `tofu` and `terraform` print that they wait for the lock when the current run of a locked workspace is
    // pending.
    const { attributes, relationships } = await runs.place(workspace);
    expect([attributes.locked, relationships['current-run'].data.id]).toEqual([true, run]);
    const second = await runs.run(workspace);
    expect([await told(run), await told(second)]).toEqual([[reason], [reason]]);
    await lock(workspace, 'unlock');
    expect(await waitingFor(run)).toBe(null);
    expect(await waitingFor(second)).toBe(`Run ${run} of this workspace goes first: it is plan_queued`);
  });

  test('for another run, which has to be confirmed, and for its own confirmation', async () => {
    const workspace = await runs.workspace('one');
    const [first, second] = [await runs.run(workspace), await runs.run(workspace)];
    expect(await told(second)).toEqual([`Run ${first} of this workspace goes first: it is plan_queued`]);
    await runs.through(first, 'planning');
    expect(await waitingFor(first)).toBe(null);
    expect(await waitingFor(second)).toBe(`Run ${first} of this workspace goes first: it is planning`);
    await runs.report(first, 'planned', { 'has-changes': true });
    expect(await waitingFor(first)).toBe('The plan must be confirmed or discarded');
    expect(await waitingFor(second)).toBe(`Run ${first} of this workspace must be confirmed or discarded first`);
    await runs.act(first, 'discard');
    expect(await waitingFor(first)).toBe(null);
  });

  test('a run that no agent would ever execute is refused at once, with the reason; an upload brings none', async () => {
    const workspace = await runs.workspace('one', byAgents(pool));
    const { url, id } = await runs.configuration(workspace, { 'auto-queue-runs': true });
    const detailOf = async () => {
      const refused = await runs.create(workspace);
      expect(refused.status).toBe(422);
      return refused.body.errors[0].detail;
    };
    const narrow = (scoped: boolean) =>
      acme.owner.call('PATCH', `/agent-pools/${pool}`, {
        data: { type: 'agent-pools', attributes: { 'organization-scoped': scoped }, relationships: {} },
      });
    await narrow(false);
    expect(await detailOf()).toContain('The agent pool first does not serve this workspace');
    const upload = await runs.put(url, 'one');
    expect([upload.statusCode, upload.json().errors[0].detail]).toEqual([
      422,
      expect.stringContaining('does not serve this workspace'),
    ]);
    const version = await acme.owner.call('GET', `/configuration-versions/${id}`);
    expect(version.body.data.attributes.status).toBe('pending');
    await narrow(true);
    expect((await runs.create(workspace)).status).toBe(201);
    expect((await runs.put(url, 'one')).statusCode).toBe(200);
    await acme.owner.call('PATCH', `/workspaces/${workspace}`, {
      data: { type: 'workspaces', attributes: { 'execution-mode': 'local' } },
    });
    expect(await detailOf()).toContain('execution mode is local');
  });

  test('for an agent: none is there, or all are busy; and no longer than that is so', async () => {
    const [one, two] = [await runs.workspace('one', byAgents(pool)), await runs.workspace('two', byAgents(pool))];
    const [first, second] = [await runs.run(one), await runs.run(two)];
    expect(await waitingFor(first)).toContain('No agent of pool first is connected');
    const agent = await agents.agent(pool);
    expect([await waitingFor(first), await waitingFor(second)]).toEqual([null, null]);
    await (await agent.take()).start();
    expect([await waitingFor(first), await waitingFor(second)]).toEqual([null, 'The agent of pool first is busy']);
    await (await (await agents.agent(pool)).take()).start();
    const third = await runs.run(await runs.workspace('three', byAgents(pool)));
    expect(await waitingFor(third)).toBe('All 2 agents of pool first are busy');
    await agents.agent(pool);
    expect(await waitingFor(third)).toBe(null);
  });

  test('for the agents that have its engine, while agents without it are idle', async () => {
    const having = (engine: string) => agents.agent(pool, undefined, { engines: [engine], 'any-engine': false });
    const able = await having('opentofu 1.10.7');
    const runFor = async (name: string, version: string) =>
      runs.run(await runs.workspace(name, { ...byAgents(pool), 'terraform-version': version }));
    await runFor('first', '1.10.7');
    await (await able.take()).start();
    const [constrained, exact] = [await runFor('constrained', '~> 1.10.0'), await runFor('exact', '1.10.7')];
    const other = await runFor('other', '1.11.5');
    expect(await waitingFor(exact)).toBe('The agent of pool first is busy');
    await having('terraform 1.11.4');
    expect(await waitingFor(constrained)).toBe('All agents of pool first that have OpenTofu ~> 1.10.0 are busy');
    expect(await waitingFor(exact)).toBe('All agents of pool first that have OpenTofu 1.10.7 are busy');
    // No agent has that version. The first agent takes the run, which fails with the missing version.
    expect(await waitingFor(other)).toBe(null);
    await having('opentofu 1.10.7');
    for (const run of [constrained, exact]) expect(await waitingFor(run)).toBe(null);
  });

  test('for no agent, where the execution mode is local by now', async () => {
    const workspace = await runs.workspace('one', byAgents(pool));
    const run = await runs.run(workspace);
    const settings = { 'execution-mode': 'local' };
    await acme.owner.call('PATCH', `/workspaces/${workspace}`, { data: { type: 'workspaces', attributes: settings } });
    expect(await waitingFor(run)).toBe(
      'The execution mode of the workspace is "local" now: no agent executes the run, which ends shortly',
    );
  });
});
