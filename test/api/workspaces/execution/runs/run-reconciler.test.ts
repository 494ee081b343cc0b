import { describe, expect, test } from 'vitest';
import { databaseKinds } from '../../../../support/databases.ts';
import { NOT_STARTED, withAgentPool } from '../../support/agent-pool.ts';
import { byAgents, type TestAgent } from '../../support/agents.ts';
import { atAddress } from '../../support/states.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

describe.each(databaseKinds)('runs without progress on %s', (kind) => {
  let { api, acme, runs, agents, pool } = NOT_STARTED;
  withAgentPool(kind, (made) => {
    ({ api, acme, runs, agents, pool } = made);
  });

  const sweep = () => api.workspaces.execution.runReconciler.sweep();
  const later = async (milliseconds: number) => {
    api.advance(milliseconds);
    await sweep();
  };
  type Event = { action: string; description: string | null };
  const eventsOf = async (run: string): Promise<Event[]> =>
    (await acme.owner.call('GET', `/runs/${run}/run-events`)).body.data.map(
      ({ attributes: { action, description } }: { attributes: Event }) => ({ action, description }),
    );
  const told = async (run: string) => (await eventsOf(run)).filter(({ action }) => action === 'waiting_for_agent');
  const waitingFor = async (run: string) => (await runs.show(run)).attributes['waiting-for'];
  const logOf = async (run: string, kindOf: 'plan' | 'apply') => {
    const { id } = (await runs.show(run)).relationships[kindOf].data;
    const { attributes } = (await acme.owner.call('GET', `/${kindOf === 'plan' ? 'plans' : 'applies'}/${id}`)).body
      .data;
    return (await atAddress(api, 'GET', attributes['log-read-url'])).text;
  };

  describe('because no agent serves them', () => {
    test('a run names the pool that it waits for, and the start of the wait; once, and only while it lasts', async () => {
      const run = await runs.run(await runs.workspace('one', byAgents(pool)));
      await sweep();
      const never = await waitingFor(run);
      expect(never).toContain('No agent of pool first is connected');
      expect(await told(run)).toEqual([]);
      await later(MINUTE);
      expect(await waitingFor(run)).toBe(never);
      await later(MINUTE);
      expect(await told(run)).toEqual([{ action: 'waiting_for_agent', description: never }]);

      const agent = await agents.agent(pool);
      const seen = api.now();
      await sweep();
      expect(await waitingFor(run)).toBe(null);
      expect(await told(run)).toHaveLength(1);
      await later(3 * MINUTE);
      const since = `No agent of pool first is connected; last seen ${new Date(seen).toISOString()}`;
      expect(await waitingFor(run)).toBe(since);
      await later(MINUTE);
      expect((await told(run)).map(({ description }) => description)).toEqual([never, since]);

      await agent.say('idle');
      const job = await agent.take();
      expect(await waitingFor(run)).toBe(null);
      await job.start();
      await later(MINUTE);
      expect(await waitingFor(run)).toBe(null);
    });

    test('an apply does too; a run that waits in the queue, or for a busy agent, shows that instead', async () => {
      const [one, two] = [await runs.workspace('one', byAgents(pool)), await runs.workspace('two', byAgents(pool))];
      const agent = await agents.agent(pool);
      const [run, behind, busy] = [await runs.run(one), await runs.run(one), await runs.run(two)];
      const job = await agent.take();
      await later(MINUTE);
      expect(await waitingFor(run)).toBe(null);
      expect(await waitingFor(behind)).toBe(`Run ${run} of this workspace goes first: it is plan_queued`);
      expect(await waitingFor(busy)).toBe('The agent of pool first is busy');
      for (const id of [run, behind, busy]) expect(await told(id)).toEqual([]);
      await job.start();
      await job.finish('finished', { 'has-changes': true });
      await agent.say('exited');
      await runs.act(run, 'apply');
      await later(MINUTE);
      expect(await runs.statusOf(run)).toBe('apply_queued');
      expect(await waitingFor(run)).toContain('No agent of pool first is connected; last seen');
      expect(await waitingFor(busy)).toContain('No agent of pool first is connected; last seen');
      expect(await waitingFor(behind)).toBe(`Run ${run} of this workspace goes first: it is apply_queued`);
      await runs.act(run, 'cancel');
      expect(await waitingFor(run)).toBe(null);
    });

    test('a workspace without a pool, or outside the scope of its pool, names the problem', async () => {
      const remote = await runs.run(await runs.workspace('one', { 'execution-mode': 'remote' }));
      const closed = await runs.workspace('two', byAgents(pool));
      const run = await runs.run(closed);
      await agents.agent(pool);
      const scope = { attributes: { 'organization-scoped': false }, relationships: {} };
      const narrowed = await acme.owner.call('PATCH', `/agent-pools/${pool}`, {
        data: { type: 'agent-pools', ...scope },
      });
      expect(narrowed.status, narrowed.text).toBe(200);
      await later(MINUTE);
      expect(await waitingFor(remote)).toContain('it has no agent pool');
      expect(await waitingFor(run)).toContain('agent pool first does not serve this workspace');
    });
  });

  describe('because they take too long', () => {
    const begun = async (agent: TestAgent, workspace: string) => {
      const run = await runs.run(workspace);
      const job = await agent.take();
      expect(job.runId).toBe(run);
      await job.start();
      return { run, job };
    };

    test('a plan is canceled after two hours, and ended a minute later; its event and its log give the reason', async () => {
      const workspace = await runs.workspace('one', byAgents(pool));
      const agent = await agents.agent(pool);
      const { run } = await begun(agent, workspace);
      await later(2 * HOUR - MINUTE);
      expect((await runs.show(run)).attributes['canceled-at']).toBe(null);
      await later(MINUTE);
      const { attributes } = await runs.show(run);
      expect([attributes.status, attributes['canceled-at'] === null]).toEqual(['planning', false]);
      expect((await eventsOf(run)).at(-1)).toMatchObject({ action: 'timed_out' });
      await later(1000);
      expect(await runs.statusOf(run)).toBe('planning');
      await later(MINUTE);
      expect(await runs.statusOf(run)).toBe('force_canceled');
      const reason = 'The run was canceled: its plan took longer than the timeout of 2 h';
      expect((await eventsOf(run)).slice(-2)).toEqual([
        { action: 'timed_out', description: reason },
        { action: 'force_canceled', description: reason },
      ]);
      expect(await logOf(run, 'plan')).toBe(`\u0002\n${reason}.\n\u0003`);
      expect((await runs.place(workspace)).attributes.locked).toBe(false);
    });

    test('an agent that gets the cancel ends the run itself, and its log still ends with the reason', async () => {
      const agent = await agents.agent(pool);
      const { job, run } = await begun(agent, await runs.workspace('one', byAgents(pool)));
      await later(2 * HOUR);
      const heard = await job.log(0, 'Interrupted');
      expect(heard.body.data.attributes.cancel).toBe('interrupt');
      await job.finish('canceled');
      expect(await runs.statusOf(run)).toBe('canceled');
      const reason = (await eventsOf(run)).at(-1)?.description;
      expect(reason).toContain('its plan took longer');
      expect(await logOf(run, 'plan')).toBe(`\u0002Interrupted\n${reason}.\n\u0003`);
    });

    test('an apply has a day from its start; then a cancel without an effect is forced', async () => {
      const agent = await agents.agent(pool);
      const { job, run } = await begun(agent, await runs.workspace('one', byAgents(pool)));
      await job.finish('finished', { 'has-changes': true });
      api.advance(48 * HOUR);
      await runs.act(run, 'apply');
      await agent.say('idle');
      await (await agent.take()).start();
      await runs.act(run, 'cancel');
      await later(23 * HOUR);
      expect(await runs.statusOf(run)).toBe('applying');
      await later(HOUR);
      expect(await runs.statusOf(run)).toBe('force_canceled');
      expect(await logOf(run, 'apply')).toContain('its apply took longer than the timeout of 24 h');
    });
  });
});
