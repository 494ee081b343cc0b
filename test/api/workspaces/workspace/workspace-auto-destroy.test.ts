import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { databaseKinds } from '../../../support/databases.ts';
import { startApi, type TestApi } from '../support/api.ts';
import { newOrganization, type TestOrganization, workspaceBody } from '../support/organization.ts';
import { runsOf } from '../support/runs.ts';
import { stateText, worker } from '../support/states.ts';

const DAY = 24 * 3_600_000;

/** Final status of a plan without changes. */
const NOTHING_THERE = 'planned_and_finished';

describe.each(databaseKinds)('the plan to destroy a workspace on %s (facts §1.14)', (kind) => {
  let api: TestApi;
  let acme: TestOrganization;
  let names = 0;
  beforeAll(async () => {
    api = await startApi(kind);
    acme = await newOrganization(api);
  });
  afterAll(() => api.close());

  const patch = (id: string, attributes: object) =>
    acme.owner.call('PATCH', `/workspaces/${id}`, workspaceBody(attributes));
  const planOf = ({ body }: { body: { data: { attributes: Record<string, unknown> } } }) => [
    body.data.attributes['auto-destroy-at'],
    body.data.attributes['auto-destroy-activity-duration'],
    body.data.attributes['inherits-project-auto-destroy'],
  ];
  const newWorkspace = (attributes = {}, relationships = {}) =>
    acme.workspace(`d-${++names}`, attributes, relationships);
  const show = (id: string) => acme.owner.call('GET', `/workspaces/${id}`);
  const inDays = (days: number) => new Date(api.now() + days * DAY).toISOString();

  test('a time is kept until it is cleared by null, not by absence', async () => {
    const id = await newWorkspace({ 'auto-destroy-at': '2025-01-01T00:00:00Z' });
    expect(planOf(await patch(id, { description: 'x' }))).toEqual(['2025-01-01T00:00:00.000Z', null, false]);
    expect(planOf(await patch(id, { 'auto-destroy-at': '2025-01-02T00:00:00Z' }))[0]).toBe('2025-01-02T00:00:00.000Z');
    expect(planOf(await patch(id, { 'auto-destroy-at': null }))).toEqual([null, null, true]);
  });

  test('a duration counts from the last activity, and its time is removed with it', async () => {
    const id = await newWorkspace({ 'auto-destroy-activity-duration': '14d', 'inherits-project-auto-destroy': false });
    expect(planOf(await show(id))).toEqual([inDays(14), '14d', false]);
    expect(planOf(await patch(id, { 'auto-destroy-activity-duration': '6h' }))).toEqual([inDays(0.25), '6h', false]);
    const cleared = await patch(id, { 'auto-destroy-activity-duration': null, 'inherits-project-auto-destroy': false });
    expect(planOf(cleared)).toEqual([null, null, false]);
  });

  describe('after a run has destroyed all resources', () => {
    async function destroyed(attributes: object, ...statuses: string[]) {
      const runs = runsOf(api, acme);
      const id = await runs.workspace(`d-${++names}`, attributes);
      const before = planOf(await show(id));
      const run = await runs.run(id, { 'is-destroy': true, 'auto-apply': true });
      await runs.through(run, 'planning', ...statuses.filter((status) => status !== NOTHING_THERE));
      if (statuses.includes(NOTHING_THERE)) await runs.report(run, 'planned');
      expect((await runs.show(run)).attributes.status).toBe(statuses.at(-1));
      return { id, before };
    }
    const APPLIED = ['planned', 'applying', 'applied'];

    test.each([[APPLIED], [[NOTHING_THERE]]])('the time is removed (%j)', async (statuses) => {
      const { id, before } = await destroyed({ 'auto-destroy-at': '2025-01-01T00:00:00Z' }, ...statuses);
      expect(before[0]).toBe('2025-01-01T00:00:00.000Z');
      expect(planOf(await show(id))).toEqual([null, null, false]);
    });

    test('a duration stays, and counts again from the next activity', async () => {
      const { id, before } = await destroyed({ 'auto-destroy-activity-duration': '2d' }, ...APPLIED);
      expect(before[0]).not.toBeNull();
      expect(planOf(await show(id))).toEqual([null, '2d', false]);
      expect(planOf(await patch(id, { description: 'x' }))).toEqual([null, '2d', false]);
      api.advance(DAY);
      const at = worker(api, acme.owner, id);
      await at.lock();
      await at.write(stateText(1), { serial: 1 });
      await at.unlock();
      expect(planOf(await show(id))).toEqual([inDays(2), '2d', false]);
    });

    test('a duration that is set afterwards counts at once', async () => {
      const { id } = await destroyed({ 'auto-destroy-activity-duration': '2d' }, ...APPLIED);
      expect(planOf(await patch(id, { 'auto-destroy-activity-duration': '3d' }))[0]).not.toBeNull();
    });

    test('a run that fails, or destroys nothing, leaves the time', async () => {
      const at = '2025-01-01T00:00:00.000Z';
      const failed = await destroyed({ 'auto-destroy-at': at }, 'errored');
      expect(planOf(await show(failed.id))[0]).toBe(at);
      const runs = runsOf(api, acme);
      const id = await runs.workspace(`d-${++names}`, { 'auto-destroy-at': at });
      const plan = await runs.run(id, { 'is-destroy': true, 'plan-only': true });
      await runs.through(plan, 'planning', 'planned');
      await runs.through(await runs.run(id, { 'auto-apply': true }), 'planning', 'planned', 'applying', 'applied');
      expect(planOf(await show(id))[0]).toBe(at);
    });
  });

  test("the project's setting is inherited until the workspace has its own, and again on request", async () => {
    const made = await acme.owner.call('POST', `/organizations/${acme.name}/projects`, {
      data: { type: 'projects', attributes: { name: `P-${++names}`, 'auto-destroy-activity-duration': '3d' } },
    });
    expect(made.status, made.text).toBe(201);
    const within = { project: { data: { type: 'projects', id: made.body.data.id } } };
    const id = await newWorkspace({}, within);
    expect(planOf(await show(id))).toEqual([inDays(3), '3d', true]);
    expect(planOf(await patch(id, { 'auto-destroy-activity-duration': '1d' }))).toEqual([inDays(1), '1d', false]);
    expect(planOf(await patch(id, { 'inherits-project-auto-destroy': true }))).toEqual([inDays(3), '3d', true]);
    expect(planOf(await patch(id, { 'inherits-project-auto-destroy': false }))).toEqual([null, null, false]);

    // A time replaces the duration. Without a time or a duration, the workspace inherits from its project again.
    await patch(id, { 'auto-destroy-activity-duration': '1d' });
    const at = '2100-01-01T00:00:00.000Z';
    expect(planOf(await patch(id, { 'auto-destroy-at': at }))).toEqual([at, null, false]);
    expect(planOf(await patch(id, { description: 'x' }))).toEqual([at, null, false]);
    expect(planOf(await patch(id, { 'auto-destroy-at': null }))).toEqual([inDays(3), '3d', true]);
    expect(planOf(await patch(id, { 'auto-destroy-activity-duration': '1d' }))).toEqual([inDays(1), '1d', false]);
    expect(planOf(await patch(id, { 'auto-destroy-activity-duration': null }))).toEqual([inDays(3), '3d', true]);
    // The workspace does not inherit if the request disables inheritance, or sets the other attribute too.
    await patch(id, { 'auto-destroy-at': at });
    const none = { 'auto-destroy-at': null, 'inherits-project-auto-destroy': false };
    expect(planOf(await patch(id, none))).toEqual([null, null, false]);
    const other = { 'auto-destroy-at': null, 'auto-destroy-activity-duration': '2d' };
    expect(planOf(await patch(id, other))).toEqual([inDays(2), '2d', false]);
    expect(planOf(await patch(id, { 'auto-destroy-at': at, 'auto-destroy-activity-duration': null }))).toEqual([
      at,
      null,
      false,
    ]);

    const moving = await newWorkspace();
    expect(planOf(await show(moving))).toEqual([null, null, true]);
    const body = { data: { type: 'workspaces', relationships: within } };
    expect(planOf(await acme.owner.call('PATCH', `/workspaces/${moving}`, body))).toEqual([inDays(3), '3d', true]);
  });
});
