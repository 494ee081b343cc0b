import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Database } from '../../../../../src/storage/index.ts';
import * as store from '../../../../../src/workspaces/execution/metrics/gauge-store.ts';
import { fragment, select } from '../../../../../src/workspaces/query/dynamic.ts';
import { databaseKinds } from '../../../../support/databases.ts';
import { agentsOf, byAgents } from '../../support/agents.ts';
import { startApi, type TestApi } from '../../support/api.ts';
import { newOrganization, type TestOrganization } from '../../support/organization.ts';
import { analyze, copyRun, plansOf } from '../../support/plans.ts';
import { runsOf, type TestRuns } from '../../support/runs.ts';

const OVER = 20_000;
const WAITING = 300;

describe.each(databaseKinds)('the database cost of run metrics on %s', (kind) => {
  let api: TestApi;
  let database: Database;
  let acme: TestOrganization;
  let runs: TestRuns;
  let first: string;
  let second: string;
  beforeAll(async () => {
    api = await startApi(kind);
    acme = await newOrganization(api);
    const agents = agentsOf(api, acme);
    runs = runsOf(api, acme);
    [first, second] = [await agents.pool('first'), await agents.pool('second')];
    database = api.workspaces.database;
    const over = await runs.run(await runs.workspace('over', byAgents(first)));
    const job = await (await agents.agent(first)).take();
    await job.start();
    await job.finish('failed');
    await copyRun(database, over, OVER);
    await runs.run(await runs.workspace('one', byAgents(first)));
    const waits = await runs.run(await runs.workspace('two', byAgents(second)));
    const behind = await runs.run((await runs.show(waits)).relationships.workspace.data.id);
    await copyRun(database, behind, WAITING);
    await analyze(database);
  });
  afterAll(() => api.close());

  test('what is over is not read, and nothing is sorted', async () => {
    const [statuses = ''] = await plansOf(database, store.runsByStatus);
    const [queues = '', nobodys = ''] = await plansOf(database, store.waitingByPool);
    expect(statuses).toContain('run_not_over');
    for (const plan of [queues, nobodys]) expect(plan).toContain('run_waits_for_agent');
    if (kind === 'sqlite') expect(statuses + queues).not.toMatch(/run USING INDEX/);
    for (const plan of [statuses, queues, nobodys])
      expect(plan).not.toMatch(/SCAN run(?! USING)|Seq Scan on run|TEMP B-TREE|Sort/);
  });

  test('it is right, pool by pool', async () => {
    const counts = new Map((await store.runsByStatus(database)).map(({ status, count }) => [status, count]));
    expect(counts.get('plan_queued')).toBe(2);
    expect(counts.get('pending')).toBe(WAITING + 1);
    expect([...counts.values()].reduce((sum, count) => sum + count)).toBe(WAITING + 3);
    const queues = await store.waitingByPool(database);
    expect(queues.map(({ pool, waiting }) => [pool, waiting]).toSorted()).toEqual(
      [
        [first, 1],
        [second, 1],
      ].toSorted(),
    );
    api.advance(90_000);
    const { gauges } = api.workspaces.execution;
    const waiting = await gauges.waiting();
    expect(waiting.map(({ pool, jobs }) => [pool, jobs]).toSorted()).toEqual([
      ['first', 1],
      ['second', 1],
    ]);
    for (const { oldest } of waiting) expect(oldest).toBeGreaterThanOrEqual(90);
  });

  test('what is to be sent is as old as the first of it has been due', async () => {
    const { delivery } = api.workspaces;
    const outbox = async () => (await delivery.pending()).find(({ queue }) => queue === 'notifications');
    expect(await outbox()).toEqual({ queue: 'notifications', pending: 0, oldest: 0 });
    const job = await (await agentsOf(api, acme).agent(first)).take();
    await job.start();
    const workspace = (await runs.show(job.runId)).relationships.workspace.data.id;
    const attributes = {
      name: 'told',
      'destination-type': 'generic',
      url: 'https://example.com/',
      triggers: ['run:errored'],
    };
    const made = await acme.owner.call('POST', `/workspaces/${workspace}/notification-configurations`, {
      data: { type: 'notification-configurations', attributes: { ...attributes, enabled: false } },
    });
    expect(made.status, made.text).toBe(201);
    // A request that enables it would send a verification to the receiver.
    await database.transaction((tx) => select(tx, fragment`update notification_configuration set enabled = 1`));
    await job.finish('failed');
    api.advance(700_000);
    expect(await outbox()).toMatchObject({ pending: 1 });
    expect((await outbox())?.oldest).toBeGreaterThanOrEqual(700);
  });
});
