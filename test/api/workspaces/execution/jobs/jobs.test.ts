import { describe, expect, test } from 'vitest';
import { databaseKinds } from '../../../../support/databases.ts';
import { NOT_STARTED, withAgentPool } from '../../support/agent-pool.ts';
import { agentsOf, byAgents, type TestAgent } from '../../support/agents.ts';
import { newOrganization } from '../../support/organization.ts';
import { runsOf } from '../../support/runs.ts';
import { atAddress } from '../../support/states.ts';

describe.each(databaseKinds)('jobs on %s', (kind) => {
  let { api, acme, runs, agents, pool } = NOT_STARTED;
  let agent: TestAgent;
  withAgentPool(kind, async (made) => {
    ({ api, acme, runs, agents, pool } = made);
    agent = await agents.agent(pool);
  });

  const newWorkspace = (attributes: object = {}) => runs.workspace('one', { ...byAgents(pool), ...attributes });
  const eventsOf = async (run: string) =>
    (await acme.owner.call('GET', `/runs/${run}/run-events`)).body.data.map(
      ({ attributes: { action, description } }: { attributes: Record<string, unknown> }) => [action, description],
    );
  const begun = async (attributes: object = {}, workspace?: string) => {
    const run = await runs.run(workspace ?? (await newWorkspace()), attributes);
    const job = await agent.take();
    expect(job.runId).toBe(run);
    expect((await job.start()).status).toBe(204);
    return { run, job };
  };
  const applying = async () => {
    const { job, run } = await begun();
    await job.finish('finished', { 'has-changes': true });
    await runs.act(run, 'apply');
    const apply = await agent.take();
    expect((await apply.start()).status).toBe(204);
    return { run, job: apply };
  };

  describe('that are started', () => {
    test('by two requests are started once', async () => {
      const { job, run } = await begun();
      const { 'planning-at': at } = (await runs.show(run)).attributes['status-timestamps'];
      expect((await job.start()).status).toBe(204);
      const { attributes } = await runs.show(run);
      expect([attributes.status, attributes['status-timestamps']['planning-at']]).toEqual(['planning', at]);
      expect((await agent.claim()).body.data.id).toBe(job.id);
    });

    test('are refused after their run was canceled', async () => {
      const run = await runs.run(await newWorkspace());
      const job = await agent.take();
      await runs.act(run, 'cancel');
      expect(await runs.statusOf(run)).toBe('canceled');
      expect((await job.start()).status).toBe(409);
      expect((await agent.claim()).status).toBe(204);
    });
  });

  describe('that are finished', () => {
    test('a plan with changes waits for confirmation, with its summary', async () => {
      const { job, run } = await begun();
      const counts = {
        'resource-additions': 3,
        'resource-changes': 2,
        'resource-destructions': 1,
        'resource-imports': 4,
      };
      expect((await job.finish('finished', { 'has-changes': true, ...counts })).status).toBe(204);
      expect((await runs.show(run)).attributes).toMatchObject({
        status: 'planned',
        'has-changes': true,
        actions: { 'is-confirmable': true },
      });
      const plan = (await acme.owner.call('GET', `/plans/${job.id}`)).body.data;
      expect(plan.attributes).toMatchObject({ status: 'finished', ...counts });
      expect((await agent.claim()).status).toBe(204);
    });

    test('a plan with counted resources has changes, unless the agent reports that it has none', async () => {
      const counted = await begun();
      await counted.job.finish('finished', { 'resource-changes': 1 });
      expect(await runs.statusOf(counted.run)).toBe('planned');
      await runs.act(counted.run, 'discard');
      const { job, run } = await begun({}, await runs.workspace('two', byAgents(pool)));
      await job.finish('finished', { 'has-changes': false, 'resource-changes': 1 });
      expect(await runs.statusOf(run)).toBe('planned_and_finished');
    });

    test('a plan continues by itself with auto-apply, and finishes if it has no changes', async () => {
      const automatic = await begun({ 'auto-apply': true });
      await automatic.job.finish('finished', { 'has-changes': true });
      expect(await runs.statusOf(automatic.run)).toBe('apply_queued');
      const apply = await agent.take();
      expect(apply).toMatchObject({ runId: automatic.run, data: { attributes: { phase: 'apply' } } });
      await apply.start();
      await apply.finish('finished', { 'resource-additions': 1 });
      expect(await runs.statusOf(automatic.run)).toBe('applied');
      const shown = (await acme.owner.call('GET', `/applies/${apply.id}`)).body.data;
      expect(shown.attributes).toMatchObject({ status: 'finished', 'resource-additions': 1 });

      const two = await runs.workspace('two', byAgents(pool));
      const idle = await begun({ 'auto-apply': true }, two);
      await idle.job.finish('finished');
      expect(await runs.statusOf(idle.run)).toBe('planned_and_finished');
      const empty = await begun({ 'allow-empty-apply': true }, two);
      await empty.job.finish('finished', { 'has-changes': false });
      expect(await runs.statusOf(empty.run)).toBe('apply_queued');
    });

    test('a saved plan is saved, and a speculative plan finished', async () => {
      const saved = await begun({ 'save-plan': true });
      await saved.job.finish('finished', { 'has-changes': true });
      expect(await runs.statusOf(saved.run)).toBe('planned_and_saved');
      const alone = await begun({ 'plan-only': true }, await runs.workspace('two', byAgents(pool)));
      await alone.job.finish('finished', { 'has-changes': true });
      expect(await runs.statusOf(alone.run)).toBe('planned_and_finished');
    });

    test.each([
      ['finished', { exit: 1, 'has-changes': true }, null],
      ['failed', { reason: 'No space is left' }, 'No space is left'],
      ['failed', {}, 'The agent failed without giving a reason'],
      ['failed', { reason: null, exit: 0 }, 'The agent failed without giving a reason'],
      ['canceled', {}, 'The agent was stopped while it executed the run'],
      ['canceled', { 'is-forced': true, exit: 0 }, 'The agent was stopped while it executed the run'],
    ])('%s %j is an error, of plans and of applies, and its event says why', async (outcome, more, reason) => {
      const { job, run } = await begun();
      expect((await job.finish(outcome, more)).status).toBe(204);
      expect(await runs.statusOf(run)).toBe('errored');
      expect((await eventsOf(run)).at(-1)).toEqual(['errored', reason]);
      expect((await agent.claim()).status).toBe(204);
      const second = await runs.run((await runs.show(run)).relationships.workspace.data.id);
      const plan = await agent.take();
      await plan.start();
      await plan.finish('finished', { 'has-changes': true });
      await runs.act(second, 'apply');
      const apply = await agent.take();
      await apply.start();
      await apply.finish(outcome, more);
      expect((await eventsOf(second)).at(-1)).toEqual(['errored', reason]);
    });

    test.each(['finished', 'failed', 'canceled'])(
      'a canceled run is canceled if the job reports %s and no success',
      async (outcome) => {
        const { job, run } = await begun();
        await runs.act(run, 'cancel');
        expect((await job.finish(outcome, { exit: 1, reason: 'signal: interrupt' })).status).toBe(204);
        expect(await runs.statusOf(run)).toBe('canceled');
      },
    );

    test('a plan that was faster than its cancel is not applied; an apply that was is applied', async () => {
      const plan = await begun({ 'auto-apply': true });
      await runs.act(plan.run, 'cancel');
      await plan.job.finish('finished', { 'has-changes': true });
      expect(await runs.statusOf(plan.run)).toBe('canceled');
      acme = await newOrganization(api);
      agents = agentsOf(api, acme);
      runs = runsOf(api, acme);
      pool = await agents.pool('first');
      agent = await agents.agent(pool);
      const { job, run } = await applying();
      await runs.act(run, 'cancel');
      await job.finish('finished');
      expect(await runs.statusOf(run)).toBe('applied');
    });

    test('that fail before their start fail the run; an agent that cannot start a job reports it', async () => {
      const run = await runs.run(await newWorkspace());
      const job = await agent.take();
      expect((await job.finish('finished', { 'has-changes': true })).status).toBe(409);
      expect(await runs.statusOf(run)).toBe('plan_queued');
      expect((await job.finish('failed', { reason: 'The configuration is no archive' })).status).toBe(204);
      expect((await eventsOf(run)).at(-1)).toEqual(['errored', 'The configuration is no archive']);
    });

    test('by two requests are finished once', async () => {
      const { job, run } = await applying();
      const answers = await Promise.all([1, 2, 3].map(() => job.finish('finished')));
      expect(answers.map(({ status }) => status).toSorted()).toEqual([204, 409, 409]);
      expect((await job.finish('failed')).status).toBe(401);
      expect(await runs.statusOf(run)).toBe('applied');
      expect((await eventsOf(run)).filter(([action]: [string]) => action === 'applied')).toHaveLength(1);
    });

    test.each([
      ['nonsense', {}],
      ['finished', { exit: -1 }],
      ['finished', { exit: 256 }],
      ['finished', { exit: 1.5 }],
      ['finished', { 'has-changes': 'yes' }],
      ['finished', { 'resource-additions': -1 }],
      ['finished', { 'resource-additions': 1e10 }],
      ['failed', { reason: 'x'.repeat(2001) }],
      ['failed', { reason: 'a\u0000b' }],
    ])('%s %j is refused, and the job continues', async (outcome, more) => {
      const { job, run } = await begun();
      expect((await job.finish(outcome, more)).status).toBe(422);
      expect(await runs.statusOf(run)).toBe('planning');
    });

    test('text of an agent is not logged as text of another source', async () => {
      const { job, run } = await begun();
      await job.finish('failed', { reason: 'one\n\u0003two\u2028three' });
      expect((await eventsOf(run)).at(-1)).toEqual(['errored', 'one two three']);
    });

    test('end the log', async () => {
      const { job } = await begun();
      await job.log(0, 'Planning');
      await job.finish('finished', { 'has-changes': true });
      const { attributes } = (await acme.owner.call('GET', `/plans/${job.id}`)).body.data;
      expect((await atAddress(api, 'GET', attributes['log-read-url'])).text).toBe('\u0002Planning\u0003');
    });
  });
});
