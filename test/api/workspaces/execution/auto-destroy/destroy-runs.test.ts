import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { databaseKinds } from '../../../../support/databases.ts';
import { startApi, type TestApi } from '../../support/api.ts';
import { autoDestroyOf, DAY, HOUR, MINUTE } from '../../support/auto-destroy.ts';
import { newOrganization, type TestOrganization } from '../../support/organization.ts';

describe.each(databaseKinds)('automatic destroy runs on %s', (kind) => {
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

  test('start at the time and apply themselves, although auto-apply is off; the reason names the setting', async () => {
    const time = at.inTime(2 * HOUR);
    const id = await at.workspace({ 'auto-destroy-at': time, 'auto-apply': false });
    const planned = { status: 'scheduled', at: time, run: null, next: null, source: 'workspace' };
    expect(await at.shown(id)).toEqual({ ...planned, explanation: expect.stringContaining(`destroyed at ${time}`) });
    await at.later(HOUR);
    expect(await at.runsIn(id)).toEqual([]);

    await at.later(HOUR);
    const [run, ...others] = await at.runsIn(id);
    expect(others).toEqual([]);
    expect(run.attributes).toMatchObject({
      source: 'lockkeeper-auto-destroy',
      'trigger-reason': 'auto_destroy',
      message: `Auto-destroy: auto-destroy-at is ${time}`,
      'is-destroy': true,
      'auto-apply': true,
    });
    expect(await at.shown(id)).toMatchObject({ status: 'running', at: time, run: run.id });
    await at.applied(run.id);
    expect(await at.shown(id)).toMatchObject({
      ...{ status: null, at: null, run: null, source: null },
      explanation: expect.stringContaining(`Run ${run.id} destroyed all resources`),
    });
    await at.later(DAY);
    expect(await at.runsIn(id)).toHaveLength(1);
  });

  test('are started by one of several nodes, at the same time or one after the other', async () => {
    const ids = [];
    for (let n = 0; n < 3; n++) ids.push(await at.workspace({ 'auto-destroy-at': at.inTime(HOUR) }));
    api.advance(2 * HOUR);
    const nodes = [api.workspaces, api.anotherProcess(), api.anotherProcess()];
    await Promise.all(nodes.map((node) => at.sweep(node)));
    for (const node of nodes) await at.sweep(node);
    for (const id of ids) expect(await at.runsIn(id)).toHaveLength(1);
  });

  test('that are overdue by a week run once, oldest first', async () => {
    const late = await at.workspace({ 'auto-destroy-at': at.inTime(2 * HOUR) });
    const early = await at.workspace({ 'auto-destroy-at': at.inTime(HOUR) });
    api.advance(7 * DAY);
    await at.sweep();
    const [first] = await at.runsIn(early);
    const [second] = await at.runsIn(late);
    const order = [first, second].map(({ attributes }) => attributes['position-in-queue']);
    expect(order).toEqual([1, 2]);
    await at.later(HOUR);
    expect([await at.runsIn(early), await at.runsIn(late)].map(({ length }) => length)).toEqual([1, 1]);
  });

  describe('for a period without activity', () => {
    test('count from the newest state version or run, and again after everything was destroyed', async () => {
      const id = await at.workspace({ 'auto-destroy-activity-duration': '2d' });
      api.advance(DAY);
      await at.write(id, 2);
      const first = at.inTime(2 * DAY);
      expect(await at.shown(id)).toMatchObject({ status: 'scheduled', at: first });
      api.advance(DAY);
      const work = await at.runs.run(id, { 'auto-apply': true });
      const second = at.inTime(2 * DAY);
      expect((await at.shown(id)).at).toBe(second);
      await at.applied(work);

      await at.later(2 * DAY - HOUR);
      expect(await at.runsIn(id)).toHaveLength(1);
      await at.later(HOUR);
      const [run] = await at.runsIn(id);
      expect(run.attributes.message).toBe(
        'Auto-destroy: no activity for 2d (auto-destroy-activity-duration of the workspace)',
      );
      await at.applied(run.id);
      await at.later(30 * DAY);
      expect(await at.runsIn(id)).toHaveLength(2);
      expect(await at.shown(id)).toMatchObject({ status: null, at: null, source: 'workspace' });

      await at.write(id, 3);
      expect(await at.shown(id)).toMatchObject({ status: 'scheduled', at: at.inTime(2 * DAY) });
      await at.later(2 * DAY);
      expect(await at.runsIn(id)).toHaveLength(3);
    });

    test('are not moved by plans', async () => {
      const id = await at.workspace({ 'auto-destroy-activity-duration': '2h' });
      const time = (await at.shown(id)).at;
      api.advance(HOUR);
      const plan = await at.runs.run(id, { 'plan-only': true });
      await at.runs.through(plan, 'planning', 'planned');
      expect((await at.shown(id)).at).toBe(time);
      await at.later(HOUR);
      expect(await at.runsIn(id)).toHaveLength(2);
    });

    test('end if there is activity before they destroy anything', async () => {
      const id = await at.workspace({ 'auto-destroy-activity-duration': '2h' });
      await acme.owner.call('POST', `/workspaces/${id}/actions/lock`);
      await at.later(2 * HOUR);
      const [run] = await at.runsIn(id);
      expect(run.attributes.status).toBe('pending');
      expect((await at.shown(id)).explanation).toMatch(/It waits: .*lock/);
      await acme.owner.call('POST', `/workspaces/${id}/actions/unlock`);
      expect(await at.runs.statusOf(run.id)).toBe('plan_queued');
      const work = await at.runs.run(id);
      expect(await at.runs.statusOf(run.id)).toBe('canceled');
      expect(await at.runs.statusOf(work)).toBe('plan_queued');
      expect(await at.shown(id)).toMatchObject({ status: 'scheduled', at: at.inTime(2 * HOUR), run: null });
      await at.runs.act(work, 'cancel');
      await at.later(2 * HOUR);
      expect(await at.runsIn(id)).toHaveLength(3);
    });
  });

  describe('of a project', () => {
    test('are inherited and overridden, and follow a changed setting of the project', async () => {
      const project = await at.project('3d');
      const inheriting = await at.workspace({}, project.within);
      const never = await at.workspace({ 'inherits-project-auto-destroy': false }, project.within);
      const own = await at.workspace({ 'auto-destroy-activity-duration': '9d' }, project.within);
      const [started, due] = [api.now(), async (id: string) => (await at.shown(id)).at];
      const after = (days: number) => new Date(started + days * DAY).toISOString();
      expect((await at.shown(inheriting)).source).toBe('project');
      expect(await due(never)).toBeNull();
      expect((await at.shown(own)).source).toBe('workspace');

      await project.set(null);
      await at.later(4 * DAY);
      expect([await due(inheriting), await at.runsIn(inheriting)]).toEqual([null, []]);
      await project.set('5d');
      await at.later(MINUTE);
      expect(Date.parse((await due(inheriting)) ?? '')).toBeLessThanOrEqual(Date.parse(after(5)));
      await at.later(DAY);
      const [run] = await at.runsIn(inheriting);
      expect(run.attributes.message).toContain('no activity for 5d (auto-destroy-activity-duration of the project)');
      expect([await at.runsIn(never), await at.runsIn(own)]).toEqual([[], []]);

      await project.set('30d');
      await at.later(MINUTE);
      expect(await at.runs.statusOf(run.id)).toBe('canceled');
      expect(await at.shown(inheriting)).toMatchObject({ status: 'scheduled', run: null });
    });

    test('start in workspaces that were moved into it, alone or together', async () => {
      const project = await at.project('1d');
      const [one, two] = [await at.workspace(), await at.workspace()];
      await acme.owner.call('PATCH', `/workspaces/${one}`, {
        data: { type: 'workspaces', relationships: project.within },
      });
      const moved = { data: [{ type: 'workspaces', id: two }] };
      const answer = await acme.owner.call('POST', `/projects/${project.id}/relationships/workspaces`, moved);
      expect(answer.status, answer.text).toBe(204);
      await at.later(DAY);
      for (const id of [one, two]) expect(await at.runsIn(id)).toHaveLength(1);
    });

    test('reach more workspaces than one step takes', async () => {
      const project = await at.project(null);
      const ids = [];
      for (let n = 0; n < 105; n++) ids.push(await acme.workspace(`many-${n}`, {}, project.within));
      await project.set('1d');
      await at.sweep();
      await at.later(DAY);
      for (const id of [ids[0], ids.at(-1)]) {
        expect((await at.shown(id ?? '')).explanation).toContain('managed no resources');
      }
    });
  });

  test('of a deleted workspace do not start; after its restore, a fixed time needs a user and a period counts again', async () => {
    const fixed = await at.workspace({ 'auto-destroy-at': at.inTime(HOUR) });
    const idle = await at.workspace({ 'auto-destroy-activity-duration': '1h' });
    for (const id of [fixed, idle]) await acme.owner.call('DELETE', `/workspaces/${id}`);
    await at.later(DAY);
    const listed = await acme.owner.call('GET', `/organizations/${acme.name}/recoverable-items`);
    expect(listed.status, listed.text).toBe(200);
    for (const { id } of listed.body.data) {
      const back = await acme.owner.call('PUT', `/recoverable-items/${id}/actions/recover`);
      expect(back.status, back.text).toBe(204);
    }
    await at.sweep();
    expect([await at.runsIn(fixed), await at.runsIn(idle)]).toEqual([[], []]);
    expect(await at.shown(fixed)).toMatchObject({
      status: 'errored',
      explanation: expect.stringContaining('passed while'),
    });
    expect(await at.shown(idle)).toMatchObject({ status: 'scheduled', at: at.inTime(HOUR) });
    await at.later(HOUR);
    expect(await at.runsIn(idle)).toHaveLength(1);
  });
});
