import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Database } from '../../../../../src/storage/index.ts';
import * as claimStore from '../../../../../src/workspaces/execution/job/claim-store.ts';
import * as store from '../../../../../src/workspaces/execution/run/store.ts';
import { databaseKinds } from '../../../../support/databases.ts';
import { agentsOf, byAgents } from '../../support/agents.ts';
import { startApi, type TestApi } from '../../support/api.ts';
import { newOrganization } from '../../support/organization.ts';
import { analyze, copyRun, plansOf } from '../../support/plans.ts';
import { runsOf } from '../../support/runs.ts';

const RUNS = 5000;

describe.each(databaseKinds)('the database cost of the queue on %s', (kind) => {
  let api: TestApi;
  let queue: claimStore.Queue;
  let first: string;
  let database: Database;
  beforeAll(async () => {
    api = await startApi(kind);
    const acme = await newOrganization(api);
    const agents = agentsOf(api, acme);
    const pool = await agents.pool('first');
    database = api.workspaces.database;
    const runs = runsOf(api, acme);
    const [over, busy] = [await runs.workspace('over', byAgents(pool)), await runs.workspace('busy', byAgents(pool))];
    const model = await runs.run(over);
    const job = await (await agents.agent(pool)).take();
    await job.start();
    await job.finish('failed');
    first = await runs.run(busy);
    const waiting = await runs.run(busy);
    queue = { agentPoolId: pool, silentSince: 0 };
    database = api.workspaces.database;
    await copyRun(database, model, RUNS);
    await copyRun(database, waiting, RUNS);
    await analyze(database);
  });
  afterAll(() => api.close());

  const claimed = () => database.transaction(async (tx) => (await claimStore.firstClaimableRun(tx, queue))?.id);

  test('a claim reads the queue in the order of its index, and not what waits for a workspace or is over', async () => {
    const [runs, assessments, ...more] = await plansOf(database, (db) => claimStore.firstWaitingRun(db, queue));
    expect(more).toEqual([]);
    expect(runs).toContain('run_by_queue_pool');
    expect(assessments).toContain('run_assessment_takeable');
    for (const plan of [runs, assessments]) expect(plan).not.toMatch(/TEMP B-TREE|Sort/);
    expect(await claimed()).toBe(first);
    expect(await store.queuePosition(database, first)).toBe(1);
  });
});
