import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { databaseKinds } from '../../../../support/databases.ts';
import { startApi, type TestApi } from '../../support/api.ts';
import { issuesOf, newOrganization, type TestOrganization } from '../../support/organization.ts';
import { runsOf, type TestRuns } from '../../support/runs.ts';

describe.each(databaseKinds)('runs on %s', (kind) => {
  let api: TestApi;
  let acme: TestOrganization;
  let runs: TestRuns;
  let names = 0;
  beforeAll(async () => {
    api = await startApi(kind);
    acme = await newOrganization(api);
    runs = runsOf(api, acme);
  });
  afterAll(() => api.close());

  const newWorkspace = (attributes = {}) => runs.workspace(`r-${++names}`, attributes);

  test.each([
    [{ 'terraform-version': '1.0.0' }, 'terraform-version'],
    [{ 'terraform-version': 'newest', 'plan-only': true }, 'terraform-version'],
    [{ 'refresh-only': true, 'is-destroy': true }, 'refresh-only'],
    [{ 'refresh-only': true, refresh: false }, 'refresh-only'],
    [{ 'invoke-action-addrs': ['-destroy'] }, 'invoke-action-addrs/0'],
    [{ 'invoke-action-addrs': ['action.a.b', 'action.a\n.b'] }, 'invoke-action-addrs/1'],
    [{ 'invoke-action-addrs': ['\u00a0-destroy'] }, 'invoke-action-addrs/0'],
    [{ 'invoke-action-addrs': [''] }, 'invoke-action-addrs/0'],
    [{ 'invoke-action-addrs': ['a'.repeat(1025)] }, 'invoke-action-addrs/0'],
    [{ 'plan-only': true, 'save-plan': true }, 'save-plan'],
    [{ message: 7 }, 'message'],
    [{ variables: [{ key: 'a' }] }, 'variables/0/value'],
    [{ variables: [1, 2].map(() => ({ key: 'a', value: '1' })) }, 'variables'],
    [{ 'target-addrs': 'all' }, 'target-addrs'],
  ])('§6.11 a run with %j is refused', async (attributes, pointer) => {
    const workspace = await newWorkspace();
    const answer = await runs.create(workspace, attributes);
    expect(answer.status).toBe(422);
    expect(issuesOf(answer)[0]).toContain(`/data/attributes/${pointer}:`);
    expect((await runs.place(workspace)).attributes.locked).toBe(false);
  });

  test('§6.11 a run needs a configuration that is uploaded, of its own workspace', async () => {
    const bare = await acme.workspace(`r-${++names}`);
    const other = await runs.uploaded(await acme.workspace(`r-${++names}`));
    const { id: pending } = await runs.configuration(bare);
    for (const version of [undefined, pending, other, 'cv-nothing']) {
      const answer = await runs.create(bare, {}, version);
      expect(answer.status).toBe(422);
      expect(issuesOf(answer)[0]).toContain('/data/relationships/configuration-version:');
    }
    expect((await runs.create('ws-nothing')).status).toBe(404);
    const local = await acme.workspace(`r-${++names}`, { 'execution-mode': 'local' });
    await runs.uploaded(local);
    expect((await runs.create(local)).status).toBe(422);
  });

  test('a run without any configuration has the error that the provider looks for: nothing to destroy', async () => {
    const bare = await acme.workspace(`r-${++names}`);
    const empty = await acme.workspace(`r-${++names}`);
    const speculative = await acme.workspace(`r-${++names}`);
    await runs.configuration(bare);
    await runs.uploaded(speculative, { speculative: true });
    for (const workspace of [bare, empty, speculative]) {
      for (const attributes of [{ 'is-destroy': true }, {}, { 'refresh-only': true }]) {
        const answer = await runs.create(workspace, attributes);
        expect(answer.status).toBe(422);
        expect(issuesOf(answer)[0]).toMatch(/: Configuration version is missing: .+ Upload one/);
      }
    }
  });

  test('§4.7 the run holds the workspace from its plan to its end; the next waits', async () => {
    const workspace = await newWorkspace();
    const first = await runs.run(workspace);
    const second = await runs.run(workspace);
    const third = await runs.run(workspace);
    expect(await Promise.all([first, second, third].map(runs.statusOf))).toEqual(['plan_queued', 'pending', 'pending']);
    const held = await runs.place(workspace);
    expect(held.attributes.locked).toBe(true);
    expect(held.relationships['locked-by'].data).toEqual({ type: 'runs', id: first });
    expect(held.relationships['current-run'].data.id).toBe(first);
    const unlock = await acme.owner.call('POST', `/workspaces/${workspace}/actions/unlock`);
    expect(unlock.status).toBe(409);
    expect(unlock.text).toContain(`is locked by Run ${first}`);

    await runs.through(first, 'planning', 'planned');
    expect(await runs.statusOf(second)).toBe('pending');
    expect((await runs.act(first, 'apply', { comment: 'go' })).status).toBe(202);
    await runs.through(first, 'applying', 'applied');
    expect(await runs.statusOf(second)).toBe('plan_queued');
    expect((await runs.place(workspace)).relationships['locked-by'].data.id).toBe(second);
    expect((await runs.act(second, 'cancel')).status).toBe(202);
    expect(await runs.statusOf(third)).toBe('plan_queued');
    await runs.through(third, 'planning', 'errored');
    const free = await runs.place(workspace);
    expect(free.attributes.locked).toBe(false);
    expect(free.relationships['current-run'].data.id).toBe(third);
    expect(free.relationships['latest-run'].data.id).toBe(third);
  });

  test('§4.7 runs wait while a user holds the lock, and continue when it is unlocked', async () => {
    for (const action of ['unlock', 'force-unlock']) {
      const workspace = await newWorkspace();
      await acme.owner.call('POST', `/workspaces/${workspace}/actions/lock`);
      const run = await runs.run(workspace);
      expect(await runs.statusOf(run)).toBe('pending');
      expect((await runs.place(workspace)).relationships['current-run'].data.id).toBe(run);
      await acme.owner.call('POST', `/workspaces/${workspace}/actions/${action}`);
      expect(await runs.statusOf(run)).toBe('plan_queued');
      expect((await runs.place(workspace)).relationships['locked-by'].data.id).toBe(run);
    }
  });

  test('§4.7 a run whose lock was broken is still the only one', async () => {
    const workspace = await newWorkspace();
    const first = await runs.run(workspace);
    const second = await runs.run(workspace);
    await acme.owner.call('POST', `/workspaces/${workspace}/actions/force-unlock`);
    expect(await runs.statusOf(second)).toBe('pending');
    await runs.through(first, 'planning', 'errored');
    expect(await runs.statusOf(second)).toBe('plan_queued');
  });

  test('§4.7 speculative plans wait for no lock and hold none', async () => {
    const workspace = await newWorkspace();
    const holder = await runs.run(workspace);
    const plan = await runs.run(workspace, { 'plan-only': true, 'terraform-version': '1.0.0' });
    const saved = await runs.run(workspace, { 'save-plan': true });
    expect([await runs.statusOf(plan), await runs.statusOf(saved)]).toEqual(['plan_queued', 'plan_queued']);
    expect((await runs.show(plan)).attributes['terraform-version']).toBe('1.0.0');
    await runs.through(plan, 'planning', 'planned');
    expect(await runs.statusOf(plan)).toBe('planned_and_finished');
    expect((await runs.act(plan, 'apply')).status).toBe(409);
    await runs.through(saved, 'planning', 'planned');
    expect(await runs.statusOf(saved)).toBe('planned_and_saved');
    expect((await runs.place(workspace)).relationships['current-run'].data.id).toBe(holder);

    await runs.act(saved, 'apply');
    expect(await runs.statusOf(saved)).toBe('confirmed');
    await runs.act(holder, 'cancel');
    expect(await runs.statusOf(saved)).toBe('apply_queued');
    expect((await runs.place(workspace)).relationships['current-run'].data.id).toBe(saved);
    await runs.through(saved, 'applying', 'applied');
    expect((await runs.place(workspace)).attributes.locked).toBe(false);
  });

  test('§6.11 a run variable with an invalid name is refused', async () => {
    const workspace = await runs.workspace(`keys-${++names}`);
    for (const key of ['1st', '-a', 'a b', '']) {
      const refused = await runs.create(workspace, { variables: [{ key, value: '1' }] });
      expect(refused.status).toBe(422);
      expect(refused.body.errors[0].detail).toContain(`Variables have the key ${JSON.stringify(key)}`);
    }
    expect((await runs.create(workspace, { variables: [{ key: 'größe-1', value: '1' }] })).status).toBe(201);
  });

  test('§6.11 confirming takes a plan with changes; the others end by themselves', async () => {
    const workspace = await newWorkspace();
    const empty = await runs.run(workspace);
    await runs.report(empty, 'planning');
    await runs.report(empty, 'planned', { 'has-changes': false });
    expect(await runs.statusOf(empty)).toBe('planned_and_finished');

    const counted = await runs.run(workspace);
    await runs.report(counted, 'planning');
    await runs.report(counted, 'planned', { 'resource-additions': 2, 'resource-imports': 1 });
    const planned = await runs.show(counted, '?include=plan,apply,created_by,workspace,configuration_version');
    expect(planned.attributes).toMatchObject({
      status: 'planned',
      'has-changes': true,
      actions: { 'is-confirmable': true, 'is-discardable': true, 'is-cancelable': false },
    });
    const plan = (await acme.owner.call('GET', `/plans/${planned.relationships.plan.data.id}`)).body.data;
    expect(plan.attributes).toMatchObject({
      status: 'finished',
      'has-changes': true,
      'resource-additions': 2,
      'resource-imports': 1,
    });
    const apply = (await acme.owner.call('GET', `/applies/${planned.relationships.apply.data.id}`)).body.data;
    expect(apply.attributes).toMatchObject({ status: 'pending', 'resource-additions': 0 });
    expect((await runs.act(counted, 'discard', { comment: 'no' })).status).toBe(202);
    expect(await runs.statusOf(counted)).toBe('discarded');
    const after = (await acme.owner.call('GET', `/applies/${apply.id}`)).body.data;
    expect(after.attributes.status).toBe('unreachable');
  });

  test('§6.11 a run with allow-empty-apply applies an empty plan by itself, and waits for confirmation of changes', async () => {
    const workspace = await newWorkspace();
    const empty = await runs.run(workspace, { 'allow-empty-apply': true });
    await runs.report(empty, 'planning');
    await runs.report(empty, 'planned', { 'has-changes': false });
    expect(await runs.statusOf(empty)).toBe('apply_queued');
    await runs.through(empty, 'applying', 'applied');
    const other = await runs.run(workspace, { 'allow-empty-apply': true });
    await runs.through(other, 'planning', 'planned');
    expect(await runs.statusOf(other)).toBe('planned');
    const saved = await runs.run(workspace, { 'allow-empty-apply': true, 'save-plan': true });
    await runs.report(saved, 'planning');
    await runs.report(saved, 'planned', { 'has-changes': false });
    expect(await runs.statusOf(saved)).toBe('planned_and_saved');
  });

  test('§6.11 auto-apply continues without confirmation', async () => {
    const workspace = await newWorkspace({ 'auto-apply': true });
    const automatic = await runs.run(workspace);
    await runs.report(automatic, 'planning');
    const planned = await runs.report(automatic, 'planned', { 'has-changes': true });
    expect(planned.body.data.attributes.status).toBe('apply_queued');
    expect(planned.body.data.relationships['confirmed-by'].data).toBe(null);
    await runs.through(automatic, 'applying', 'applied');
    const manual = await runs.run(workspace, { 'auto-apply': false });
    await runs.through(manual, 'planning', 'planned');
    expect(await runs.statusOf(manual)).toBe('planned');
    const asked = await runs.run(await newWorkspace({ 'auto-apply': false }), { 'auto-apply': true });
    await runs.through(asked, 'planning', 'planned');
    expect(await runs.statusOf(asked)).toBe('apply_queued');
  });

  test('§6.11 a cancel ends a waiting run at once, and asks an executing one to stop', async () => {
    const workspace = await newWorkspace();
    const running = await runs.run(workspace);
    await runs.through(running, 'planning');
    expect((await runs.report(running, 'canceled')).status).toBe(409);
    expect((await runs.act(running, 'force-cancel')).status).toBe(409);
    expect((await runs.act(running, 'cancel', { comment: 'stop' })).status).toBe(202);
    const asked = (await runs.show(running)).attributes;
    expect(asked).toMatchObject({ status: 'planning', actions: { 'is-cancelable': false } });
    expect(Date.parse(asked['force-cancel-available-at'])).toBeGreaterThan(api.now());
    expect((await runs.act(running, 'cancel')).status).toBe(409);
    expect((await runs.act(running, 'force-cancel')).status).toBe(409);
    api.advance(60_000);
    expect((await runs.show(running)).attributes.actions['is-force-cancelable']).toBe(true);
    expect((await runs.act(running, 'force-cancel')).status).toBe(202);
    expect(await runs.statusOf(running)).toBe('force_canceled');
    expect((await runs.place(workspace)).attributes.locked).toBe(false);

    const obedient = await runs.run(workspace);
    await runs.through(obedient, 'planning');
    await runs.act(obedient, 'cancel');
    await runs.through(obedient, 'canceled');
    expect(await runs.statusOf(obedient)).toBe('canceled');
  });

  test('§6.11 a forced run replaces runs that wait for confirmation', async () => {
    const workspace = await newWorkspace();
    const [first, second, third] = [await runs.run(workspace), await runs.run(workspace), await runs.run(workspace)];
    expect((await runs.act(third, 'force-execute')).status).toBe(409);
    await runs.through(first, 'planning', 'planned');
    expect((await runs.act(third, 'force-execute')).status).toBe(202);
    expect(await Promise.all([first, second, third].map(runs.statusOf))).toEqual([
      'discarded',
      'discarded',
      'plan_queued',
    ]);
    expect((await runs.act(third, 'force-execute')).status).toBe(409);
  });

  test('§6.11 a step that is none is refused in the words that clients know', async () => {
    const workspace = await newWorkspace();
    const run = await runs.run(workspace);
    const waiting = await runs.run(workspace);
    const answers = [
      await runs.act(run, 'apply'),
      await runs.act(run, 'discard'),
      await runs.report(run, 'applied'),
      await runs.report(waiting, 'planning'),
    ];
    for (const answer of answers) {
      expect(answer.status).toBe(409);
      expect(answer.body.errors[0].title).toBe('transition not allowed');
    }
    for (const status of ['nonsense', 'plan_queued', 'planned_and_saved', 'policy_checking', 'force_canceled']) {
      expect((await runs.report(run, status)).status, status).toBe(422);
    }
    for (const action of ['apply', 'discard', 'cancel', 'force-cancel', 'force-execute']) {
      expect((await runs.act('run-nothing', action)).status).toBe(404);
    }
  });

  test('§6.11 of fifty who confirm at once, one succeeds', async () => {
    const workspace = await newWorkspace();
    const run = await runs.run(workspace);
    await runs.through(run, 'planning', 'planned');
    const answers = await Promise.all(Array.from({ length: 50 }, () => runs.act(run, 'apply')));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([202, ...Array(49).fill(409)]);
  });

  test('§6.11 of many that start at once, one holds the workspace', async () => {
    const workspace = await newWorkspace();
    const made = await Promise.all(Array.from({ length: 12 }, () => runs.create(workspace)));
    expect(made.map(({ status }) => status)).toEqual(Array(12).fill(201));
    const list = await acme.owner.call('GET', `/workspaces/${workspace}/runs?filter[status]=plan_queued`);
    expect(list.body.data).toHaveLength(1);
    const waiting = await acme.owner.call('GET', `/workspaces/${workspace}/runs?filter[status]=pending`);
    expect(waiting.body.meta.pagination['total-count']).toBe(11);
  });

  test('spec §2.2 the past 30 finished runs are measured', async () => {
    const workspace = await newWorkspace();
    expect((await runs.place(workspace)).attributes).toMatchObject({
      'plan-duration-average': null,
      'workspace-kpis-runs-count': null,
    });
    const applied = await runs.run(workspace);
    await runs.report(applied, 'planning');
    api.advance(1999);
    await runs.report(applied, 'planned', { 'has-changes': true });
    await runs.act(applied, 'apply');
    await runs.report(applied, 'applying');
    api.advance(4999);
    await runs.report(applied, 'applied');
    expect((await runs.place(workspace)).attributes).toMatchObject({
      'plan-duration-average': 2000,
      'apply-duration-average': 5000,
      'run-failures': 0,
      'policy-check-failures': 0,
      'workspace-kpis-runs-count': 1,
    });
    for (let i = 0; i < 31; i++) await runs.through(await runs.run(workspace), 'errored');
    expect((await runs.place(workspace)).attributes).toMatchObject({
      'run-failures': 30,
      'workspace-kpis-runs-count': 30,
    });
  });

  test('§4.6 a deleted workspace has no active run', async () => {
    const workspace = await newWorkspace();
    const [first, second] = [await runs.run(workspace), await runs.run(workspace)];
    await runs.through(first, 'planning');
    expect((await acme.owner.call('DELETE', `/workspaces/${workspace}`)).status).toBe(204);
    for (const run of [first, second]) expect((await acme.owner.call('GET', `/runs/${run}`)).status).toBe(404);
    const queue = await acme.owner.call('GET', `/organizations/${acme.name}/runs/queue?page[size]=100`);
    const ids = queue.body.data.map(({ id }: { id: string }) => id);
    expect(ids.includes(first) || ids.includes(second)).toBe(false);
  });
});
