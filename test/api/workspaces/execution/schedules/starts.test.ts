import { afterEach, describe, expect, test } from 'vitest';
import { databaseKinds } from '../../../../support/databases.ts';
import { NOT_STARTED, withAgentPool } from '../../support/agent-pool.ts';
import { byAgents } from '../../support/agents.ts';
import { DAY, HOUR, MINUTE, schedulesOf, type TestSchedules } from '../../support/schedules.ts';

describe.each(databaseKinds)('work of a schedule on %s', (kind) => {
  let { api, acme, runs, agents, pool } = NOT_STARTED;
  let schedules = {} as TestSchedules;
  withAgentPool(kind, (made) => {
    ({ api, acme, runs, agents, pool } = made);
    schedules = schedulesOf(api, acme);
    schedules.until('12:00');
  });
  afterEach(() => schedules.clear());

  const last = async (id: string) => (await schedules.outcomes(id))[0];
  /** Ends a run without changes, so that its workspace can be assessed. */
  const nothingToChange = async (run: string) => {
    await runs.through(run, 'planning');
    expect((await runs.report(run, 'planned', { 'has-changes': false })).status).toBe(200);
  };
  const inWorkspace = async (attributes: object = {}, settings: object = {}) => {
    const workspace = await runs.workspace('one', settings);
    return { workspace, schedule: await schedules.made(`/workspaces/${workspace}`, attributes) };
  };

  describe('by its operation', () => {
    test('starts a plan-only run at its time, once, and shows it', async () => {
      const { workspace, schedule } = await inWorkspace();
      await schedules.at('01:59');
      expect(await schedules.runsIn(workspace)).toEqual([]);
      await schedules.at('02:00');
      await schedules.sweep();
      const [run, ...others] = await schedules.runsIn(workspace);
      expect(others).toEqual([]);
      expect(run?.attributes).toMatchObject({
        ...{ 'plan-only': true, 'auto-apply': false, message: 'Scheduled: nightly' },
        ...{ source: 'lockkeeper-schedule', 'trigger-reason': 'schedule' },
      });
      expect(run?.relationships['created-by']).toEqual({ data: null });
      const { attributes, relationships } = await schedules.show(schedule);
      expect(attributes['last-time']).toMatch(/T02:00:00.000Z$/);
      expect(attributes['waiting-count']).toBe(0);
      expect(attributes['last-outcome']).toMatchObject({
        ...{ status: 'started', reason: null, 'run-status': 'plan_queued' },
        'scheduled-at': attributes['last-time'],
      });
      expect(relationships['last-run'].data).toEqual({ type: 'runs', id: run?.id });
    });

    test('applies by itself, although no user with permissions started it', async () => {
      const { workspace, schedule } = await inWorkspace({ operation: 'apply' }, byAgents(pool));
      const agent = await agents.agent(pool);
      await schedules.at('02:00');
      await agent.say('idle');
      const plan = await agent.take();
      await plan.start();
      await plan.finish('finished', { 'has-changes': true });
      const apply = await agent.take();
      await apply.start();
      await apply.finish('finished');
      const [run] = await schedules.runsIn(workspace);
      expect(run?.attributes).toMatchObject({ status: 'applied', 'plan-only': false, 'refresh-only': false });
      expect(await last(schedule)).toMatchObject({ status: 'started', 'run-status': 'applied' });
    });

    test('refreshes, with a run that is refresh-only and applies by itself', async () => {
      const { workspace } = await inWorkspace({ operation: 'refresh' });
      await schedules.at('02:00');
      const [run] = await schedules.runsIn(workspace);
      expect(run?.attributes).toMatchObject({ 'refresh-only': true, 'auto-apply': true, 'plan-only': false });
    });

    test('assesses the drift, or says why it cannot', async () => {
      const { workspace, schedule } = await inWorkspace({ operation: 'drift' }, byAgents(pool));
      await schedules.at('02:00');
      expect(await last(schedule)).toMatchObject({ status: 'refused', reason: expect.stringContaining('no run yet') });
      await runs.run(workspace);
      const agent = await agents.agent(pool);
      const job = await agent.take();
      await job.start();
      expect((await job.finish('finished', { 'has-changes': false })).status).toBe(204);
      await schedules.at('02:00');
      expect(await last(schedule)).toMatchObject({ status: 'started', 'run-status': null });
      await agent.say('idle');
      expect((await agent.take()).data.attributes.parameters).toMatchObject({ 'refresh-only': true });
    });
  });

  test('starts at the time that next-times names, with the delay of the workspace', async () => {
    const { workspace, schedule } = await inWorkspace({ jitter: 21_600 });
    const next = async () => (await schedules.show(schedule)).attributes['next-times'].map(Date.parse) as number[];
    const { delay } = (await schedules.show(schedule)).attributes;
    const times = await next();
    expect(delay).toBeGreaterThan(1);
    expect(times).toHaveLength(5);
    expect(new Date((times[0] ?? 0) - delay * 1000).toISOString()).toMatch(/T02:00:00.000Z$/);
    // The occurrence has come, and the workspace still waits.
    await schedules.at('02:00');
    expect(await next()).toEqual(times);
    api.advance(delay * 1000 - 1);
    await schedules.sweep();
    expect(await schedules.runsIn(workspace)).toEqual([]);
    api.advance(1);
    expect(api.now()).toBe(times[0]);
    await schedules.sweep();
    expect(await schedules.runsIn(workspace)).toHaveLength(1);
    expect((await next()).slice(0, 4)).toEqual(times.slice(1));
  });

  describe('that cannot start', () => {
    test('is refused with a reason: no configuration, local execution, no agents', async () => {
      const empty = await acme.workspace('empty');
      const local = await runs.workspace('local', { 'execution-mode': 'local' });
      const ids = [await schedules.made(`/workspaces/${empty}`), await schedules.made(`/workspaces/${local}`)];
      await schedules.at('02:00');
      const reasons = await Promise.all(ids.map(async (id) => (await last(id)) ?? { status: '', reason: null }));
      expect(reasons.map(({ status }) => status)).toEqual(['refused', 'refused']);
      expect(reasons[0]?.reason).toContain('no uploaded configuration version');
      expect(reasons[1]?.reason).toContain('execution mode is local');
    });

    test('skips a workspace that is locked or has an unfinished run, and names it', async () => {
      const { workspace, schedule } = await inWorkspace({ operation: 'apply' });
      await acme.owner.call('POST', `/workspaces/${workspace}/actions/lock`);
      await schedules.at('02:00');
      expect(await last(schedule)).toMatchObject({
        status: 'skipped',
        reason: `The workspace is locked by ${acme.owner.username}`,
      });
      await acme.owner.call('POST', `/workspaces/${workspace}/actions/unlock`);
      const run = await runs.run(workspace);
      await runs.through(run, 'planning', 'planned');
      await schedules.at('02:00');
      expect(await last(schedule)).toMatchObject({
        status: 'skipped',
        reason: `The workspace has an unfinished run: ${run} is planned`,
      });
      await runs.act(run, 'discard');
      await schedules.at('02:00');
      expect(await last(schedule)).toMatchObject({ status: 'started' });
    });

    test('queues its run if it is to, and never a second one before that is over', async () => {
      const { workspace, schedule } = await inWorkspace({ operation: 'apply', 'when-busy': 'queue' });
      const run = await runs.run(workspace);
      await schedules.at('02:00');
      const [queued] = await schedules.runsIn(workspace);
      expect(queued?.attributes).toMatchObject({ status: 'pending', 'trigger-reason': 'schedule' });
      await schedules.at('02:00');
      expect(await last(schedule)).toMatchObject({
        status: 'skipped',
        reason: `The last run of this schedule is not over: ${queued?.id} is pending`,
      });
      await runs.act(run, 'cancel');
      expect(await runs.statusOf(queued?.id ?? '')).toBe('plan_queued');
    });

    test('queues an assessment until its workspace is free', async () => {
      const { workspace, schedule } = await inWorkspace({ operation: 'drift', 'when-busy': 'queue' });
      const good = await runs.run(workspace);
      await nothingToChange(good);
      const run = await runs.run(workspace, { 'plan-only': true });
      await schedules.at('02:00');
      expect(await schedules.outcomes(schedule)).toEqual([]);
      expect((await schedules.show(schedule)).attributes['waiting-count']).toBe(1);
      await runs.act(run, 'cancel');
      api.advance(10 * MINUTE);
      await schedules.sweep();
      expect(await last(schedule)).toMatchObject({ status: 'started' });
      expect((await schedules.show(schedule)).attributes['waiting-count']).toBe(0);
    });

    // The database makes no difference, and 500 runs take long on a server.
    test.runIf(kind === 'sqlite')(
      'is skipped if too many runs wait for the workspace',
      async () => {
        const { workspace, schedule } = await inWorkspace({ operation: 'apply', 'when-busy': 'queue' });
        await acme.owner.call('POST', `/workspaces/${workspace}/actions/lock`);
        for (let n = 0; n < 500; n++) await runs.run(workspace);
        await schedules.at('02:00');
        expect(await last(schedule)).toMatchObject({
          status: 'skipped',
          reason: expect.stringContaining('already has 500 waiting runs'),
        });
      },
      60_000,
    );

    test('does nothing in a deleted workspace, and continues if that is restored', async () => {
      const { workspace, schedule } = await inWorkspace();
      expect((await acme.owner.call('DELETE', `/workspaces/${workspace}`)).status).toBe(204);
      await schedules.at('02:00');
      expect((await acme.owner.call('GET', `/schedules/${schedule}`)).status).toBe(404);
      const [item] = (await acme.owner.call('GET', `/organizations/${acme.name}/recoverable-items`)).body.data;
      const restored = await acme.owner.call('PUT', `/recoverable-items/${item.id}/actions/recover`);
      expect(restored.status, restored.text).toBeLessThan(300);
      expect(await schedules.runsIn(workspace)).toEqual([]);
      await schedules.at('02:00');
      expect(await schedules.runsIn(workspace)).toHaveLength(1);
    });
  });

  describe('on a bad day', () => {
    test('starts once after the server was down for an hour, or for a week', async () => {
      const { workspace, schedule } = await inWorkspace();
      await schedules.until('03:00');
      await schedules.sweep();
      expect(await schedules.outcomes(schedule)).toHaveLength(1);
      const [run] = await schedules.runsIn(workspace);
      await runs.act(run?.id ?? '', 'cancel');
      api.advance(7 * DAY);
      await schedules.sweep();
      await schedules.sweep();
      expect(await schedules.runsIn(workspace)).toHaveLength(2);
      const { attributes } = await schedules.show(schedule);
      expect(Date.parse(attributes['next-times'][0])).toBeGreaterThan(api.now());
      expect(Date.parse(attributes['next-times'][0])).toBeLessThan(api.now() + DAY);
    });

    test('several nodes start it once', async () => {
      const { workspace, schedule } = await inWorkspace();
      const nodes = [api.anotherProcess(), api.anotherProcess(), api.workspaces];
      await schedules.until('02:00');
      await Promise.all(nodes.map(({ execution }) => execution.runReconciler.sweep()));
      await Promise.all(nodes.map(({ execution }) => execution.runReconciler.sweep()));
      expect(await schedules.runsIn(workspace)).toHaveLength(1);
      expect(await schedules.outcomes(schedule)).toHaveLength(1);
    });

    test('a clock that goes back a little repeats nothing; one that was far ahead does not silence the schedule', async () => {
      const { workspace, schedule } = await inWorkspace();
      await schedules.at('02:10');
      expect(await schedules.runsIn(workspace)).toHaveLength(1);
      api.advance(-20 * MINUTE);
      await schedules.sweep();
      api.advance(15 * MINUTE);
      await schedules.sweep();
      expect(await schedules.runsIn(workspace)).toHaveLength(1);
      for (const { id } of await schedules.runsIn(workspace)) await runs.act(id, 'cancel');
      api.advance(400 * DAY);
      await schedules.sweep();
      expect(await schedules.runsIn(workspace)).toHaveLength(2);
      for (const { id } of await schedules.runsIn(workspace)) await runs.act(id, 'cancel');
      api.advance(-400 * DAY);
      await schedules.sweep();
      await schedules.at('02:00');
      expect(await schedules.runsIn(workspace)).toHaveLength(3);
      expect((await last(schedule))?.status).toBe('started');
    });

    test('a pause drops what has not started, and a resumed schedule continues with its next time', async () => {
      const { workspace, schedule } = await inWorkspace({ jitter: 3600 });
      await schedules.at('02:00');
      await schedules.change(schedule, { paused: true });
      expect((await schedules.show(schedule)).attributes).toMatchObject({ paused: true, 'next-times': [] });
      api.advance(2 * HOUR);
      await schedules.sweep();
      const before = (await schedules.runsIn(workspace)).length;
      await schedules.at('03:30');
      expect(await schedules.runsIn(workspace)).toHaveLength(before);
      await schedules.change(schedule, { paused: false });
      await schedules.sweep();
      expect(await schedules.runsIn(workspace)).toHaveLength(before);
      await schedules.until('02:00');
      api.advance(HOUR);
      await schedules.sweep();
      expect((await schedules.outcomes(schedule)).length).toBeGreaterThan(0);
    });

    test('the oldest outcomes of a schedule are deleted', async () => {
      const { schedule } = await inWorkspace({}, { 'execution-mode': 'local' });
      for (let day = 0; day < 33; day++) await schedules.at('02:00');
      expect(await schedules.outcomes(schedule)).toHaveLength(30);
    });
  });
});
