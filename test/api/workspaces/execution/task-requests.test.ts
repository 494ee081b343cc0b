import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { databaseKinds } from '../../../support/databases.ts';
import type { Receiver } from '../../../support/receiver.ts';
import type { TestApi } from '../support/api.ts';
import { startNotifying } from '../support/notifications.ts';
import type { TestOrganization } from '../support/organization.ts';
import { runTasksOf } from '../support/run-tasks.ts';
import type { TestRuns } from '../support/runs.ts';

const MINUTE = 60_000;

describe.each(databaseKinds)('requests to run task services and their results, on %s (facts §6.14)', (kind) => {
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

  const { newWorkspace, judge, ask, askedAt, lastAt, say, judged, resultOf } = runTasksOf(() => ({
    ...{ api, receiver, acme, runs },
  }));

  test('a token is valid for one result, while the server waits for it', async () => {
    const workspace = await newWorkspace();
    const [one, two] = [await judge(workspace, ['post_plan']), await judge(workspace, ['post_plan'])];
    const run = await runs.run(workspace);
    await runs.through(run, 'planning', 'planned');
    await ask();
    const [mine, other] = [lastAt(one.path), lastAt(two.path)];
    const crossed = { ...mine, access_token: other.access_token };
    expect((await say(crossed, { status: 'passed' })).status).toBe(401);
    const end = mine.access_token.endsWith('AA') ? 'EE' : 'AA';
    const forged = { ...mine, access_token: `${mine.access_token.slice(0, -2)}${end}` };
    expect((await say(forged, { status: 'passed' })).status).toBe(401);
    const byOwner = { ...mine, access_token: acme.owner.token };
    expect((await say(byOwner, { status: 'passed' })).status).toBe(401);
    expect((await api.holder(mine.access_token).call('GET', `/organizations/${acme.name}`)).status).toBe(404);
    for (const status of ['pending', 'errored', 'banana']) {
      expect((await say(mine, { status })).status).toBe(422);
    }
    const outcomes = [
      {
        type: 'task-result-outcomes',
        attributes: {
          'outcome-id': 'PRTNR-CC-TF-127',
          description: 'S3 bucket without MFA',
          body: '# Resolution',
          url: 'https://checks.example.com/127',
          tags: { Severity: [{ label: 'High', level: 'error' }] },
        },
      },
    ];
    expect((await say(mine, { status: 'running', message: 'Half' })).status).toBe(200);
    expect((await resultOf(run, 'post_plan')).attributes).toMatchObject({ status: 'running', message: 'Half' });
    const said = await say(mine, { status: 'passed' }, { outcomes: { data: outcomes } });
    expect(said.body.data.attributes).toMatchObject({ status: 'passed', message: 'Half' });
    const shown = await acme.owner.call('GET', `/task-results/${mine.task_result_id}/outcomes`);
    expect(shown.body.data).toMatchObject(outcomes);
    expect((await say(mine, { status: 'failed' })).status, 'it has said what it had to say').toBe(401);
    expect(await runs.statusOf(run)).toBe('post_plan_running');
    await judged(two.path, 'passed');
    expect(await runs.statusOf(run)).toBe('post_plan_completed');
  });

  test('a service that fails to accept the request gets it again, for ten minutes', async () => {
    const workspace = await newWorkspace();
    const { path } = await judge(workspace, ['pre_plan']);
    const run = await runs.run(workspace);
    receiver.answer = (_received, response) => void response.writeHead(503).end();
    await ask();
    await ask();
    expect(askedAt(path), 'not at once').toHaveLength(1);
    for (let waited = 0; waited < 9; waited++) {
      api.advance(MINUTE);
      await ask();
    }
    const tries = askedAt(path);
    expect(tries.length).toBeGreaterThan(2);
    expect(new Set(tries.map(({ body }) => body.access_token)).size, 'by one token').toBe(1);
    expect(await runs.statusOf(run)).toBe('pre_plan_running');
    api.advance(MINUTE);
    await ask();
    receiver.answer = (_received, response) => void response.end('ok');
    expect(await runs.statusOf(run)).toBe('errored');
    expect((await resultOf(run, 'pre_plan')).attributes).toMatchObject({
      ...{ status: 'errored', message: 'The run task has not reported anything for 10 minutes' },
    });
    expect((await say(tries[0]?.body, { status: 'passed' })).status).toBe(401);
  });

  test('a service that accepts it and reports nothing times out; one that reports progress does not', async () => {
    const workspace = await newWorkspace();
    const { path } = await judge(workspace, ['pre_plan']);
    const silent = await runs.run(workspace);
    await ask();
    api.advance(9 * MINUTE);
    await ask();
    expect(await runs.statusOf(silent)).toBe('pre_plan_running');
    api.advance(MINUTE);
    await ask();
    expect(await runs.statusOf(silent)).toBe('errored');

    const busy = await runs.run(workspace);
    await ask();
    for (let said = 0; said < 6; said++) {
      api.advance(9 * MINUTE);
      await ask();
      expect((await say(lastAt(path), { status: 'running' })).status).toBe(200);
    }
    api.advance(5 * MINUTE);
    await ask();
    expect(await runs.statusOf(busy)).toBe('pre_plan_running');
    api.advance(MINUTE + 1);
    await ask();
    expect(await runs.statusOf(busy), 'an hour is enough').toBe('errored');
    expect(askedAt(path)).toHaveLength(2);
  });

  test('a deleted workspace deletes its stages, and no more requests are sent', async () => {
    const workspace = await newWorkspace();
    const { path } = await judge(workspace, ['pre_plan']);
    await runs.run(workspace);
    expect((await acme.owner.call('DELETE', `/workspaces/${workspace}`)).status).toBe(204);
    await ask();
    expect(askedAt(path)).toEqual([]);
  });
});
