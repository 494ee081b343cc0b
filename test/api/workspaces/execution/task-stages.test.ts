import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { databaseKinds } from '../../../support/databases.ts';
import type { Receiver } from '../../../support/receiver.ts';
import type { TestApi } from '../support/api.ts';
import { startNotifying } from '../support/notifications.ts';
import { newOrganization, type TestOrganization } from '../support/organization.ts';
import { runTasksOf } from '../support/run-tasks.ts';
import { runsOf, type TestRuns } from '../support/runs.ts';
import { atAddress } from '../support/states.ts';

describe.each(databaseKinds)('the stages at which run tasks evaluate runs, on %s (facts §6.14)', (kind) => {
  let api: TestApi;
  let receiver: Receiver;
  let acme: TestOrganization;
  let runs: TestRuns;
  beforeAll(async () => {
    ({ api, receiver, acme, runs } = await startNotifying(kind));
  });
  afterAll(async () => {
    await receiver.stop();
    await api.close();
  });

  const { newWorkspace, newPath, create, patch, judge, ask, askedAt, lastAt, say, judged, statusesOf, resultOf } =
    runTasksOf(() => ({ api, receiver, acme, runs }));

  test('a service reads the plan and the configuration of its run with the token of the request, until it has sent its result', async () => {
    const workspace = await newWorkspace();
    const { path } = await judge(workspace, ['post_plan']);
    const run = await runs.run(workspace);
    const { relationships } = await runs.show(run);
    const [plan, version] = [relationships.plan.data.id, relationships['configuration-version'].data.id];
    await runs.report(run, 'planning');
    const json = { planned_values: { outputs: {} } };
    await acme.owner.call('PUT', `/plans/${plan}/json-output`, json);
    await runs.report(run, 'planned', { 'resource-additions': 1 });
    await ask();
    const asked = lastAt(path);
    const service = api.holder(asked.access_token);
    const status = async (what: string) => (await service.call('GET', what)).status;
    expect((await service.call('GET', `/plans/${plan}/json-output`)).body).toEqual(json);
    expect(await status(`/configuration-versions/${version}/download`)).toBe(200);
    expect(await status(`/runs/${run}`)).toBe(200);
    const other = await runs.uploaded(workspace);
    for (const foreign of [
      `/configuration-versions/${other}/download`,
      `/workspaces/${workspace}/configuration-versions`,
      `/workspaces/${workspace}/vars`,
      `/workspaces/${workspace}/current-state-version`,
      `/organizations/${acme.name}`,
      `/plans/${plan}/folder`,
    ]) {
      expect(await status(foreign), foreign).toBe(404);
    }
    expect((await service.call('POST', `/runs/${run}/actions/apply`)).status).toBe(404);
    expect((await service.call('PUT', `/plans/${plan}/json-output`, json)).status).toBe(404);
    await judged(path, 'passed');
    expect(await status(`/plans/${plan}/json-output`)).toBe(401);
  });

  test('a run passes each stage on the server, and is applied', async () => {
    const workspace = await newWorkspace({ 'working-directory': 'infra' });
    const stages = ['pre_plan', 'post_plan', 'pre_apply', 'post_apply'];
    const { path, attached, task } = await judge(workspace, stages, 'mandatory', { 'hmac-key': 'secret' });
    const run = await runs.run(workspace, { message: 'Größer' });
    expect(await statusesOf(run)).toEqual({
      ...{ pre_plan: 'running', post_plan: 'pending', pre_apply: 'pending', post_apply: 'pending' },
    });
    expect(await runs.statusOf(run)).toBe('pre_plan_running');
    expect((await runs.report(run, 'planning')).status, 'nobody else goes on').toBe(409);
    expect((await runs.report(run, 'pre_plan_completed')).status).toBe(422);
    await ask();
    const [asked, ...others] = askedAt(path);
    expect(others).toEqual([]);
    const { attributes, relationships } = await runs.show(run);
    const place = (await runs.place(workspace)).attributes;
    const origin = 'http://keeper.example.com:8443';
    const version = relationships['configuration-version'].data.id;
    const result = await resultOf(run, 'pre_plan');
    expect(asked?.body).toEqual({
      payload_version: 1,
      stage: 'pre_plan',
      access_token: expect.stringMatching(/^lkr\./),
      capabilities: { outcomes: true },
      configuration_version_download_url: `${origin}/api/v2/configuration-versions/${version}/download`,
      configuration_version_id: version,
      is_speculative: false,
      organization_name: acme.name,
      run_app_url: `${origin}/app/${acme.name}/${place.name}/runs/${run}`,
      run_created_at: attributes['created-at'],
      run_created_by: acme.owner.username,
      run_id: run,
      run_message: 'Größer',
      task_result_callback_url: `${origin}/api/v2/task-results/${result.id}/callback`,
      task_result_enforcement_level: 'mandatory',
      task_result_id: result.id,
      ...{ vcs_branch: null, vcs_commit_url: null, vcs_pull_request_url: null, vcs_repo_url: null },
      workspace_app_url: `${origin}/app/${acme.name}/${place.name}`,
      workspace_id: workspace,
      workspace_name: place.name,
      workspace_working_directory: 'infra',
    });
    const signature = createHmac('sha512', 'secret')
      .update(asked?.bytes ?? '')
      .digest('hex');
    expect(asked?.headers['x-tfc-task-signature']).toBe(signature);
    expect(result.attributes).toMatchObject({
      status: 'running',
      'task-id': task.id,
      'task-name': task.attributes.name,
      'task-url': task.attributes.url,
      'workspace-task-id': attached.id,
      'workspace-task-enforcement-level': 'mandatory',
    });
    await judged(path, 'passed', { message: '4 passed', url: 'https://checks.example.com/1' });
    expect((await resultOf(run, 'pre_plan')).attributes).toMatchObject({
      ...{ status: 'passed', message: '4 passed', url: 'https://checks.example.com/1' },
    });
    expect(await runs.statusOf(run)).toBe('plan_queued');

    await runs.through(run, 'planning', 'planned');
    expect(await runs.statusOf(run)).toBe('post_plan_running');
    expect((await runs.show(run)).attributes.actions).toMatchObject({ 'is-confirmable': false, 'is-cancelable': true });
    expect((await runs.act(run, 'apply')).status).toBe(409);
    await ask();
    const plan = relationships.plan.data.id;
    expect(lastAt(path)).toMatchObject({
      stage: 'post_plan',
      plan_json_api_url: `${origin}/api/v2/plans/${plan}/json-output`,
    });
    await judged(path, 'passed');
    expect((await runs.show(run)).attributes).toMatchObject({
      status: 'post_plan_completed',
      actions: { 'is-confirmable': true },
    });
    expect((await runs.act(run, 'apply')).status).toBe(202);
    expect(await runs.statusOf(run)).toBe('pre_apply_running');
    await judged(path, 'passed');
    expect(await runs.statusOf(run)).toBe('apply_queued');
    await runs.through(run, 'applying', 'applied');
    expect(await runs.statusOf(run)).toBe('post_apply_running');
    expect((await acme.owner.call('GET', `/applies/${relationships.apply.data.id}`)).body.data.attributes.status).toBe(
      'finished',
    );
    await ask();
    expect(lastAt(path).task_result_enforcement_level, 'what is applied is not held up').toBe('advisory');
    await judged(path, 'failed', { message: 'Too late' });
    expect(await runs.statusOf(run)).toBe('applied');
    expect(await statusesOf(run)).toEqual(Object.fromEntries(stages.map((stage) => [stage, 'passed'])));
    expect(askedAt(path)).toHaveLength(4);
    expect((await runs.place(workspace)).attributes.locked).toBe(false);
  });

  test('the log gives the reason for the end of a run, with the result of the task', async () => {
    const workspace = await newWorkspace();
    const { path, task } = await judge(workspace, ['pre_apply']);
    const run = await runs.run(workspace, { 'auto-apply': true });
    await runs.through(run, 'planning', 'planned');
    await judged(path, 'failed', { message: '3 failed\u0003\nApply complete!', url: 'https://checks.example.com/3' });
    expect(await runs.statusOf(run)).toBe('errored');
    const { apply } = (await runs.show(run)).relationships;
    const { attributes } = (await acme.owner.call('GET', `/applies/${apply.data.id}`)).body.data;
    const log = await atAddress(api, 'GET', attributes['log-read-url']);
    expect(log.text).toBe(
      `\u0002\nThe run task ${task.attributes.name} is required to pass, and has not: 3 failed Apply complete! https://checks.example.com/3\n\u0003`,
    );
  });

  test('a failed mandatory task ends the run; a failed advisory one only shows a message', async () => {
    const workspace = await newWorkspace();
    const [advisory, mandatory] = [
      await judge(workspace, ['post_plan'], 'advisory'),
      await judge(workspace, ['post_plan']),
    ];
    const judge2 = async (first: string, second: string) => {
      const run = await runs.run(workspace, { 'auto-apply': true });
      await runs.through(run, 'planning', 'planned');
      await judged(advisory.path, first);
      expect(await runs.statusOf(run), 'both have to say something').toBe('post_plan_running');
      await judged(mandatory.path, second);
      return run;
    };
    const passed = await judge2('failed', 'passed');
    expect(await runs.statusOf(passed)).toBe('apply_queued');
    expect(await statusesOf(passed)).toEqual({ post_plan: 'passed' });
    await runs.through(passed, 'applying', 'applied');
    const failed = await judge2('passed', 'failed');
    expect(await runs.statusOf(failed)).toBe('errored');
    expect(await statusesOf(failed)).toEqual({ post_plan: 'failed' });
    const { relationships } = await runs.show(failed);
    const stage = relationships['task-stages'].data[0].id;
    const override = await acme.owner.call('POST', `/task-stages/${stage}/actions/override`, { comment: 'Let it' });
    expect([override.status, override.body.errors[0].title]).toEqual([409, 'transition not allowed']);
    expect((await runs.place(workspace)).attributes.locked).toBe(false);
  });

  test('stages exist from the start, for a reader who asks once', async () => {
    const workspace = await newWorkspace();
    const { task } = await judge(workspace, ['post_plan', 'pre_apply']);
    const made = await runs.create(workspace);
    const pointers = made.body.data.relationships['task-stages'].data;
    expect(pointers).toHaveLength(2);
    const { id: run } = made.body.data;
    const { body } = await acme.owner.call('GET', `/runs/${run}?include=task_stages`);
    expect(body.included.map(({ attributes }: never) => attributes)).toMatchObject([
      { stage: 'post_plan', status: 'pending' },
      { stage: 'pre_apply', status: 'pending' },
    ]);
    const [{ id }] = pointers;
    const shown = await acme.owner.call('GET', `/task-stages/${id}?include=task_results,policy_evaluations`);
    expect(shown.body.included).toMatchObject([{ attributes: { status: 'pending', 'task-id': task.id } }]);
    expect((await acme.owner.call('GET', `/task-stages/${id}`)).body.included).toBeUndefined();
    const { owner: stranger } = await newOrganization(api);
    const result = shown.body.included[0].id;
    for (const path of [`/task-stages/${id}`, `/task-results/${result}`, `/task-results/${result}/outcomes`]) {
      expect([path, (await stranger.call('GET', path)).status]).toEqual([path, 404]);
    }
    // Changes now apply only to the next run.
    await acme.owner.call('DELETE', `/tasks/${task.id}`);
    expect(await statusesOf(run)).toEqual({ post_plan: 'pending', pre_apply: 'pending' });
    expect((await runs.show(await runs.run(workspace))).relationships['task-stages'].data).toEqual([]);
    await runs.through(run, 'planning', 'planned');
    await ask();
    expect(await runs.statusOf(run)).toBe('errored');
    expect((await resultOf(run, 'post_plan')).attributes).toMatchObject({
      ...{ status: 'errored', message: 'The run task was deleted after the run was created' },
    });
    expect(await statusesOf(run)).toEqual({ post_plan: 'failed', pre_apply: 'unreachable' });
    expect((await resultOf(run, 'pre_apply')).attributes.status).toBe('unreachable');
  });

  test('both tasks may report at the same time, and no decision is requested before', async () => {
    const workspace = await newWorkspace();
    const told = newPath();
    const attributes = {
      ...{ name: 'Told', 'destination-type': 'generic', url: receiver.address + told, enabled: true },
      triggers: ['run:needs_attention'],
    };
    const path = `/workspaces/${workspace}/notification-configurations`;
    const data = { type: 'notification-configurations', attributes };
    expect((await acme.owner.call('POST', path, { data })).status).toBe(201);
    const [one, two] = [await judge(workspace, ['post_plan']), await judge(workspace, ['post_plan'])];
    const run = await runs.run(workspace);
    await runs.through(run, 'planning', 'planned');
    await ask();
    const { notificationDeliveries } = api.workspaces.execution;
    await notificationDeliveries.begin();
    await notificationDeliveries.settled();
    expect(askedAt(told)).toEqual([]);
    const said = [one, two].map(({ path }) => say(lastAt(path), { status: 'passed' }));
    expect((await Promise.all(said)).map(({ status }) => status)).toEqual([200, 200]);
    expect(await runs.statusOf(run)).toBe('post_plan_completed');
    await notificationDeliveries.begin();
    await notificationDeliveries.settled();
    expect(askedAt(told).map(({ body }) => body.notifications[0].run_status)).toEqual(['post_plan_completed']);
  });

  test('a run that is canceled, or fails by itself, ends its stages', async () => {
    const workspace = await newWorkspace();
    const { path } = await judge(workspace, ['pre_plan', 'post_plan']);
    const canceled = await runs.run(workspace);
    await ask();
    const asked = lastAt(path);
    expect((await runs.act(canceled, 'cancel')).status).toBe(202);
    expect(await runs.statusOf(canceled)).toBe('canceled');
    expect(await statusesOf(canceled)).toEqual({ pre_plan: 'canceled', post_plan: 'unreachable' });
    expect((await say(asked, { status: 'passed' })).status).toBe(401);

    const failed = await runs.run(workspace);
    await judged(path, 'passed');
    await runs.through(failed, 'planning', 'errored');
    expect(await statusesOf(failed)).toEqual({ pre_plan: 'passed', post_plan: 'unreachable' });
    await ask();
    expect(askedAt(path)).toHaveLength(2);
  });

  test('no task evaluates a plan without changes; speculative plans are evaluated', async () => {
    const workspace = await newWorkspace();
    const { path } = await judge(workspace, ['post_plan', 'pre_apply']);
    const idle = await runs.run(workspace);
    await runs.through(idle, 'planning');
    await runs.report(idle, 'planned', { 'has-changes': false });
    expect(await runs.statusOf(idle)).toBe('planned_and_finished');
    expect(await statusesOf(idle)).toEqual({ post_plan: 'unreachable', pre_apply: 'unreachable' });

    const plan = await runs.run(workspace, { 'plan-only': true });
    await runs.through(plan, 'planning', 'planned');
    await ask();
    expect(lastAt(path).is_speculative).toBe(true);
    await judged(path, 'passed');
    expect(await runs.statusOf(plan)).toBe('planned_and_finished');
    const saved = await runs.run(workspace, { 'save-plan': true });
    await runs.through(saved, 'planning', 'planned');
    expect(await runs.statusOf(saved)).toBe('post_plan_running');
    await judged(path, 'passed');
    expect(await runs.statusOf(saved)).toBe('planned_and_saved');
    expect((await runs.act(saved, 'apply')).status).toBe(202);
    expect(await runs.statusOf(saved)).toBe('pre_apply_running');
    await judged(path, 'passed');
    expect(await runs.statusOf(saved)).toBe('apply_queued');
  });

  test('a task for all workspaces evaluates each of them once', async () => {
    const other = await newOrganization(api);
    const path = newPath();
    const made = await other.owner.call('POST', `/organizations/${other.name}/tasks`, {
      data: {
        type: 'tasks',
        attributes: {
          ...{ name: 'all', category: 'task', url: receiver.address + path },
          'global-configuration': { enabled: true, stages: ['pre_plan'], 'enforcement-level': 'mandatory' },
        },
      },
    });
    expect(made.status, made.text).toBe(201);
    const runsOfOther = runsOf(api, other);
    const inOther = runTasksOf(() => ({ api, receiver, acme: other, runs: runsOfOther }));
    const workspace = await inOther.newWorkspace();
    const run = await runsOfOther.run(workspace);
    expect((await inOther.resultOf(run, 'pre_plan')).attributes).toMatchObject({
      'workspace-task-id': null,
      'workspace-task-enforcement-level': 'mandatory',
    });
    await inOther.judged(path, 'passed');
    await runsOfOther.act(run, 'cancel');
    const attached = await inOther.attachWith(workspace, made.body.data.id, { stages: ['pre_plan', 'post_plan'] });
    const both = await runsOfOther.run(workspace);
    const [first] = (await inOther.stagesOf(both)).map(({ relationships }: never) => relationships);
    expect(first['task-results'].data).toHaveLength(1);
    expect((await inOther.resultOf(both, 'pre_plan')).attributes).toMatchObject({
      'workspace-task-id': attached.body.data.id,
      'workspace-task-enforcement-level': 'mandatory',
    });
    expect((await inOther.resultOf(both, 'post_plan')).attributes['workspace-task-enforcement-level']).toBe('advisory');
  });

  test('a disabled task evaluates no new runs', async () => {
    const workspace = await newWorkspace();
    const { task } = await judge(workspace, ['pre_plan']);
    expect((await patch(task.id, { enabled: false })).status).toBe(200);
    const run = await runs.run(workspace);
    expect((await runs.show(run)).relationships['task-stages'].data).toEqual([]);
    expect(await runs.statusOf(run)).toBe('plan_queued');
    const unused = await create(newPath());
    expect(unused.attributes.enabled).toBe(true);
  });
});
