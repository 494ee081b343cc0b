import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { databaseKinds } from '../../../support/databases.ts';
import { startApi, type TestApi } from '../support/api.ts';
import { newOrganization, type TestOrganization } from '../support/organization.ts';
import { runsOf, type TestRuns } from '../support/runs.ts';
import { base64, stateText, versionBody } from '../support/states.ts';

const ANOTHER_FIRST = 'another run was applied first';
const CHANGED = 'the state changed';

describe.each(databaseKinds)('saved plans on %s', (kind) => {
  let api: TestApi;
  let acme: TestOrganization;
  let runs: TestRuns;
  let workspace: string;
  beforeAll(async () => {
    api = await startApi(kind);
  });
  afterAll(() => api.close());
  beforeEach(async () => {
    acme = await newOrganization(api);
    runs = runsOf(api, acme);
    workspace = await runs.workspace('one');
  });

  const saved = async (): Promise<string> => {
    const run = await runs.run(workspace, { 'save-plan': true, 'auto-apply': true });
    await runs.through(run, 'planning', 'planned');
    expect(await runs.statusOf(run)).toBe('planned_and_saved');
    return run;
  };
  const eventsOf = async (run: string) =>
    (await acme.owner.call('GET', `/runs/${run}/run-events`)).body.data.map(
      ({ attributes }: { attributes: { action: string; description: string | null } }) => attributes,
    );
  const endOf = async (run: string) => (await eventsOf(run)).at(-1);
  const lock = (action: string) => acme.owner.call('POST', `/workspaces/${workspace}/actions/${action}`);
  const upload = (serial: number, attributes: object = {}) =>
    acme.owner.call(
      'POST',
      `/workspaces/${workspace}/state-versions`,
      versionBody(stateText(serial), { serial, state: base64(stateText(serial)), ...attributes }),
    );

  test('a saved plan is discarded when another run is applied, saved or not, and says so', async () => {
    const [first, second, waiting] = [await saved(), await saved(), await saved()];
    await runs.act(first, 'apply');
    await runs.act(waiting, 'apply');
    expect([await runs.statusOf(first), await runs.statusOf(waiting)]).toEqual(['apply_queued', 'confirmed']);
    await runs.through(first, 'applying');
    expect(await runs.statusOf(second)).toBe('planned_and_saved');
    await runs.through(first, 'applied');
    for (const run of [second, waiting]) {
      expect(await endOf(run)).toMatchObject({ action: 'discarded' });
      expect((await endOf(run)).description).toContain(ANOTHER_FIRST);
      expect((await runs.act(run, 'apply')).status).toBe(409);
    }
    expect(await runs.statusOf(first)).toBe('applied');
    expect((await runs.place(workspace)).attributes.locked).toBe(false);
  });

  test('a saved plan is discarded with the first state that a run applies, before the run is over', async () => {
    const other = await saved();
    const run = await runs.run(workspace);
    await runs.through(run, 'planning', 'planned');
    await runs.act(run, 'apply');
    await runs.through(run, 'applying');
    const relationships = { run: { data: { type: 'runs', id: run } } };
    const body = versionBody(stateText(1), { serial: 1, state: base64(stateText(1)) }, relationships);
    await acme.owner.call('POST', `/workspaces/${workspace}/actions/force-unlock`);
    await lock('lock');
    expect((await acme.owner.call('POST', `/workspaces/${workspace}/state-versions`, body)).status).toBe(201);
    expect(await runs.statusOf(other)).toBe('discarded');
    expect((await endOf(other)).description).toContain(ANOTHER_FIRST);
    expect(await runs.statusOf(run)).toBe('applying');
  });

  test('an upload, a rollback and a snapshot that becomes the state each discard it; nothing else does', async () => {
    await lock('lock');
    const first = await saved();
    const version = await upload(1);
    expect(version.status, version.text).toBe(201);
    expect(await endOf(first)).toMatchObject({ action: 'discarded' });
    expect((await endOf(first)).description).toContain(CHANGED);

    const second = await saved();
    expect((await upload(2, { intermediate: true })).status).toBe(201);
    expect(await runs.statusOf(second)).toBe('planned_and_saved');
    expect((await lock('unlock')).status).toBe(200);
    expect(await runs.statusOf(second)).toBe('discarded');

    await lock('lock');
    const third = await saved();
    const data = { type: 'state-versions', relationships: { 'rollback-state-version': { data: version.body.data } } };
    const back = await acme.owner.call('PATCH', `/workspaces/${workspace}/state-versions`, { data });
    expect(back.status, back.text).toBeLessThan(300);
    expect(await runs.statusOf(third)).toBe('discarded');

    const [kept, elsewhere] = [await saved(), await runs.workspace('two')];
    await runs.through(await runs.run(workspace, { 'plan-only': true }), 'planning', 'errored');
    await runs.through(await runs.run(elsewhere), 'planning', 'planned');
    await lock('unlock');
    expect(await runs.statusOf(kept)).toBe('planned_and_saved');
  });

  test('one that is being made while the state changes is not saved; one that is queued is not touched', async () => {
    const [planning, queued] = [
      await runs.run(workspace, { 'save-plan': true }),
      await runs.run(workspace, { 'save-plan': true }),
    ];
    await runs.through(planning, 'planning');
    await lock('lock');
    expect((await upload(1)).status).toBe(201);
    await lock('unlock');
    expect([await runs.statusOf(planning), await runs.statusOf(queued)]).toEqual(['planning', 'plan_queued']);
    await runs.through(planning, 'planned');
    expect(await runs.statusOf(planning)).toBe('discarded');
    expect((await endOf(planning)).description).toContain('while the plan was made');
    await runs.through(queued, 'planning', 'planned');
    expect(await runs.statusOf(queued)).toBe('planned_and_saved');
  });

  test('more than are discarded at once: the rest is discarded soon after', async () => {
    const many: string[] = [];
    for (let index = 0; index < 101; index++) many.push(await saved());
    await lock('lock');
    expect((await upload(1)).status).toBe(201);
    const left = await Promise.all(many.map(runs.statusOf));
    expect(left.filter((status) => status === 'planned_and_saved')).toHaveLength(1);
    await api.workspaces.execution.runReconciler.sweep();
    expect(new Set(await Promise.all(many.map(runs.statusOf)))).toEqual(new Set(['discarded']));
  });

  test('a plan without confirmation for thirty days is discarded, and its event gives the reason', async () => {
    const run = await saved();
    const day = 86_400_000;
    api.advance(30 * day - 1000);
    await api.workspaces.execution.runReconciler.sweep();
    expect(await runs.statusOf(run)).toBe('planned_and_saved');
    api.advance(2000);
    await api.workspaces.execution.runReconciler.sweep();
    expect(await runs.statusOf(run)).toBe('discarded');
    const events = (await acme.owner.call('GET', `/runs/${run}/run-events`)).body.data;
    expect(events.at(-1).attributes.description).toBe(
      'The saved plan was discarded: it was not confirmed within 30 days',
    );
  });

  test('a provisional configuration is the current one once its plan is confirmed', async () => {
    const current = async () => (await runs.place(workspace)).relationships['current-configuration-version']?.data?.id;
    const provisional = await runs.uploaded(workspace, { provisional: true });
    const run = await runs.run(workspace, { 'save-plan': true }, provisional);
    await runs.through(run, 'planning', 'planned');
    expect(await current()).not.toBe(provisional);
    const before = await runs.run(workspace, { 'plan-only': true });
    const made = (await runs.show(before)).relationships['configuration-version'].data.id;
    expect(made).not.toBe(provisional);
    await runs.act(run, 'apply');
    expect(await current()).toBe(provisional);
    const after = await runs.run(workspace, { 'plan-only': true });
    expect((await runs.show(after)).relationships['configuration-version'].data.id).toBe(provisional);
  });
});
