import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { sql } from '../../../../../src/storage/index.ts';
import { databaseKinds } from '../../../../support/databases.ts';
import { agentsOf, byAgents } from '../../support/agents.ts';
import { startApi, type TestApi } from '../../support/api.ts';
import { autoDestroyOf, DAY, HOUR, MINUTE } from '../../support/auto-destroy.ts';
import { newOrganization, type TestOrganization } from '../../support/organization.ts';
import { base64, stateText, versionBody, worker } from '../../support/states.ts';

const selectReminded = sql<{ id: string }, { reminded: number }>(
  'SELECT reminded FROM auto_destroy WHERE workspace_id = :id',
);

describe.each(databaseKinds)('outcomes of automatic destroy runs on %s', (kind) => {
  let api: TestApi;
  let acme: TestOrganization;
  let at: ReturnType<typeof autoDestroyOf>;
  beforeAll(async () => {
    api = await startApi(kind);
  });
  afterAll(() => api.close());
  beforeEach(async () => {
    acme = await newOrganization(api);
    at = autoDestroyOf(api, acme);
  });

  const due = { 'auto-destroy-at': '2025-01-01T00:00:00Z' };
  const retry = (id: string) => acme.owner.call('POST', `/workspaces/${id}/actions/retry-auto-destroy`);

  describe('before the run', () => {
    test('a time in the past is echoed, and the run starts at the next round', async () => {
      const id = await at.workspace(due);
      expect(await at.shown(id)).toMatchObject({ at: '2025-01-01T00:00:00.000Z', status: 'scheduled' });
      await at.sweep();
      expect(await at.runsIn(id)).toHaveLength(1);
      expect((await at.shown(id)).at).toBe('2025-01-01T00:00:00.000Z');
    });

    test('a workspace that manages nothing counts as destroyed, without a run', async () => {
      const fresh = await acme.workspace('fresh', due);
      const empty = await acme.workspace('empty', due);
      const its = worker(api, acme.owner, empty);
      await its.lock();
      await its.write(stateText(1, { resources: [] }), { serial: 1 });
      await its.unlock();
      await at.sweep();
      for (const id of [fresh, empty]) {
        expect(await at.runsIn(id)).toEqual([]);
        expect(await at.shown(id)).toMatchObject({ at: null, status: null, next: null });
        expect((await at.shown(id)).explanation).toContain('managed no resources, so no run was started');
      }
      await at.write(fresh, 1);
      await at.later(DAY);
      expect(await at.runsIn(fresh)).toEqual([]);
    });

    test('a locked workspace, or one with another run, delays the run, which waits in the queue', async () => {
      const locked = await at.workspace({ 'auto-destroy-at': at.inTime(HOUR) });
      await acme.owner.call('POST', `/workspaces/${locked}/actions/lock`, { reason: 'maintenance' });
      const busy = await at.workspace({ 'auto-destroy-at': at.inTime(HOUR) });
      const work = await at.runs.run(busy);
      await at.later(HOUR);
      const [one, two] = [(await at.runsIn(locked))[0], (await at.runsIn(busy))[0]];
      for (const run of [one, two]) expect(run.attributes.status).toBe('pending');
      expect((await at.shown(locked)).explanation).toMatch(/^Run run-\w+ destroys all resources. It waits: .*lock/);
      expect((await at.shown(busy)).explanation).toContain(work);
      await acme.owner.call('POST', `/workspaces/${locked}/actions/unlock`);
      await at.runs.act(work, 'cancel');
      for (const { id } of [one, two]) await at.applied(id);
    });

    test.each([
      [
        'execution mode local',
        { 'execution-mode': 'local' },
        'execution mode is local',
        { 'execution-mode': 'remote' },
      ],
      [
        'destroy plans not allowed',
        { 'allow-destroy-plan': false },
        'allow-destroy-plan',
        { 'allow-destroy-plan': true },
      ],
    ])('%s is reported, tried again, and starts when the setting changes', async (_, attributes, why, better) => {
      const id = await at.workspace({ ...due, ...attributes });
      await at.sweep();
      expect(await at.runsIn(id)).toEqual([]);
      const first = await at.shown(id);
      expect(first).toMatchObject({ status: 'errored', next: at.inTime(HOUR), run: null });
      expect(first.explanation).toContain(why);
      await at.later(HOUR);
      expect(await at.shown(id)).toMatchObject({ status: 'errored', next: at.inTime(2 * HOUR) });
      await at.patch(id, better);
      await at.sweep();
      expect(await at.runsIn(id)).toHaveLength(1);
      expect((await at.shown(id)).status).toBe('running');
    });

    test('a workspace without a configuration says so', async () => {
      const id = await acme.workspace('bare', due);
      await at.write(id, 1);
      await at.sweep();
      expect(await at.shown(id)).toMatchObject({ status: 'errored', next: at.inTime(HOUR) });
      expect((await at.shown(id)).explanation).toContain('no configuration version');
      await at.runs.uploaded(id);
      await at.later(HOUR);
      expect(await at.runsIn(id)).toHaveLength(1);
    });
  });

  describe('of the run', () => {
    const failing = async (run: string) => at.runs.through(run, 'planning', 'planned', 'applying', 'errored');

    test('a failure is tried again later and later, then waits for a user, who retries it', async () => {
      const id = await at.workspace(due);
      for (const [attempt, wait] of [10 * MINUTE, HOUR, 6 * HOUR].entries()) {
        const run = await at.begun(id);
        await failing(run);
        const shown = await at.shown(id);
        expect(shown).toMatchObject({ status: 'errored', run, next: at.inTime(wait), at: '2025-01-01T00:00:00.000Z' });
        expect(shown.explanation).toContain(`attempt ${attempt + 2} of 4`);
        await at.later(wait - MINUTE);
        expect((await at.shown(id)).run).toBe(run);
        api.advance(MINUTE);
      }
      await failing(await at.begun(id));
      expect(await at.shown(id)).toMatchObject({ status: 'errored', next: null });
      await at.later(30 * DAY);
      expect(await at.runsIn(id)).toHaveLength(4);

      expect((await retry(id)).status).toBe(200);
      expect(await at.shown(id)).toMatchObject({ status: 'scheduled' });
      await at.applied(await at.begun(id));
      expect(await at.shown(id)).toMatchObject({ status: null, at: null });
      expect((await retry(id)).status).toBe(409);
    });

    test('a failure that has changed the state does not move the time of a period', async () => {
      const agents = agentsOf(api, acme);
      const pool = await agents.pool('first');
      const agent = await agents.agent(pool);
      const id = await at.workspace({ 'auto-destroy-activity-duration': '2h', ...byAgents(pool) });
      const time = (await at.shown(id)).at;
      api.advance(2 * HOUR);
      const run = await at.begun(id);
      const plan = await agent.take();
      await plan.start();
      await plan.finish('finished', { 'has-changes': true });
      const apply = await agent.take();
      expect([plan.runId, apply.runId]).toEqual([run, run]);
      await apply.start();
      const body = versionBody(
        stateText(2),
        { serial: 2, state: base64(stateText(2)) },
        { run: { data: { type: 'runs', id: run } } },
      );
      expect((await apply.call('POST', `/workspaces/${id}/state-versions`, body)).status).toBe(201);
      await apply.finish('failed', { reason: 'The API of the cloud refused' });
      expect(await at.shown(id)).toMatchObject({ at: time, status: 'errored', next: at.inTime(10 * MINUTE) });
      await at.later(10 * MINUTE);
      expect(await at.shown(id)).toMatchObject({ at: time, status: 'running' });
      await at.runs.act((await at.shown(id)).run ?? '', 'cancel');
      // A user works with the workspace: the period counts from there.
      await at.write(id, 3);
      expect(await at.shown(id)).toMatchObject({ at: at.inTime(2 * HOUR), status: 'scheduled', next: null });
    });

    test('a run that a user discards or cancels is not tried again by itself', async () => {
      const id = await at.workspace(due);
      const run = await at.begun(id);
      await at.runs.act(run, 'cancel');
      expect(await at.shown(id)).toMatchObject({ status: 'errored', next: null, run });
      expect((await at.shown(id)).explanation).toContain('a user ended it');
      await at.later(DAY);
      expect(await at.runsIn(id)).toHaveLength(1);
      const time = at.inTime(HOUR);
      await at.patch(id, { 'auto-destroy-at': time });
      expect(await at.shown(id)).toMatchObject({ status: 'scheduled', at: time, run: null });
      await at.later(HOUR);
      expect(await at.runsIn(id)).toHaveLength(2);
    });

    test('a plan without changes counts as destroyed', async () => {
      const id = await at.workspace(due);
      const run = await at.begun(id);
      await at.runs.through(run, 'planning');
      await at.runs.report(run, 'planned');
      expect(await at.shown(id)).toMatchObject({ status: null, at: null });
    });

    test('a new time ends a run that does not destroy yet; a run that destroys goes on', async () => {
      const [one, two, three] = [await at.workspace(due), await at.workspace(due), await at.workspace(due)];
      await at.sweep();
      const [queued, planned, applying] = [await at.begun(one), await at.begun(two), await at.begun(three)];
      await at.runs.through(planned, 'planning');
      await at.runs.through(applying, 'planning', 'planned', 'applying');
      const time = at.inTime(DAY);
      for (const id of [one, two, three]) {
        expect((await at.patch(id, { 'auto-destroy-at': time })).body.data.attributes['auto-destroy-at']).toBe(time);
      }
      expect(await at.runs.statusOf(queued)).toBe('canceled');
      expect((await at.runs.show(planned)).attributes['canceled-at']).not.toBeNull();
      await at.runs.report(planned, 'canceled');
      for (const id of [one, two]) expect(await at.shown(id)).toMatchObject({ status: 'scheduled', at: time });
      await at.runs.report(applying, 'applied');
      expect(await at.shown(three)).toMatchObject({ status: null, at: null });
      await at.patch(one, { 'auto-destroy-at': null });
      expect(await at.shown(one)).toMatchObject({ status: null, at: null, explanation: null });
      await at.later(DAY);
      expect([await at.runsIn(one), await at.runsIn(two)].map(({ length }) => length)).toEqual([1, 2]);
    });

    test('the time can move while a run stays due', async () => {
      const id = await at.workspace(due);
      const run = await at.begun(id);
      const other = '2025-02-01T00:00:00.000Z';
      expect((await at.patch(id, { 'auto-destroy-at': other })).body.data.attributes['auto-destroy-at']).toBe(other);
      expect(await at.shown(id)).toMatchObject({ status: 'running', run });
      await at.applied(run);
    });
  });

  test('unfinished runs of an organization are bounded; the others of it wait, and other organizations do not', async () => {
    for (let n = 0; n < 102; n++) await at.workspace(due);
    const other = autoDestroyOf(api, await newOrganization(api));
    const elsewhere = await other.workspace(due);
    await at.sweep();
    expect(await other.runsIn(elsewhere)).toHaveLength(1);
    const list = async (status: string) =>
      (await acme.owner.call('GET', `/organizations/${acme.name}/workspaces?page[size]=100&page[number]=${status}`))
        .body.data;
    const all = [...(await list('1')), ...(await list('2'))];
    const waiting = all.filter(({ attributes }) => attributes['auto-destroy-status'] === 'scheduled');
    expect([all.length, waiting.length]).toEqual([102, 2]);
    expect(waiting[0].attributes['auto-destroy-explanation']).toContain('fewer than 100');
    // The organization can start no run, but a reminder needs none.
    const soon = await at.workspace({ 'auto-destroy-at': at.inTime(25 * HOUR) });
    await at.later(HOUR + MINUTE);
    expect(await api.workspaces.database.one(selectReminded, { id: soon })).toEqual({ reminded: 1 });
    const running = all.find(({ attributes }) => attributes['auto-destroy-status'] === 'running');
    await at.applied(running.attributes['auto-destroy-run-id']);
    await at.later(MINUTE);
    const left = [...(await list('1')), ...(await list('2'))];
    expect(left.filter(({ attributes }) => attributes['auto-destroy-status'] === 'scheduled')).toHaveLength(2);
  }, 120_000);

  test('a retry needs the permission, and a workspace whose run has failed', async () => {
    const id = await at.workspace(due);
    expect((await retry(id)).status).toBe(409);
    expect((await (await api.user('eve')).call('POST', `/workspaces/${id}/actions/retry-auto-destroy`)).status).toBe(
      404,
    );
    expect((await retry('ws-0000000000000000')).status).toBe(404);
  });
});
