import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { databaseKinds } from '../../../../support/databases.ts';
import type { Receiver } from '../../../../support/receiver.ts';
import { agentsOf, byAgents } from '../../support/agents.ts';
import type { TestApi } from '../../support/api.ts';
import { startNotifying } from '../../support/notifications.ts';
import type { TestOrganization } from '../../support/organization.ts';
import { runTasksOf } from '../../support/run-tasks.ts';
import type { TestRuns } from '../../support/runs.ts';

describe.each(databaseKinds)('jobs between the stages of a run, on %s', (kind) => {
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

  const { newWorkspace, judge, judged } = runTasksOf(() => ({ api, receiver, acme, runs }));

  test('a plan and an apply are handed out once the stage before them has passed, and no agent has the run meanwhile', async () => {
    const agents = agentsOf(api, acme);
    const pool = await agents.pool('first');
    const agent = await agents.agent(pool);
    const workspace = await newWorkspace(byAgents(pool));
    const { path } = await judge(workspace, ['pre_plan', 'post_plan', 'pre_apply', 'post_apply']);
    const run = await runs.run(workspace);
    const nobody = async () => (await acme.owner.call('GET', `/agents/${agent.id}`)).body.data.relationships.run.data;
    expect([await runs.statusOf(run), (await agent.claim()).status]).toEqual(['pre_plan_running', 204]);
    await judged(path, 'passed');

    const plan = await agent.take();
    expect(plan.data.attributes).toMatchObject({ phase: 'plan', 'run-id': run });
    expect((await plan.start()).status).toBe(204);
    expect((await plan.finish('finished', { 'has-changes': true })).status).toBe(204);
    expect(await runs.statusOf(run)).toBe('post_plan_running');
    expect([await nobody(), (await agent.claim()).status, (await plan.heartbeat()).status]).toEqual([null, 204, 401]);
    await judged(path, 'passed');

    expect((await runs.act(run, 'apply')).status).toBe(202);
    expect([await runs.statusOf(run), (await agent.claim()).status]).toEqual(['pre_apply_running', 204]);
    await judged(path, 'passed');
    const apply = await agent.take();
    expect(apply.data.attributes).toMatchObject({ phase: 'apply', 'run-id': run });
    expect((await apply.start()).status).toBe(204);
    expect((await apply.finish('finished')).status).toBe(204);
    expect(await runs.statusOf(run)).toBe('post_apply_running');
    expect([await nobody(), (await agent.claim()).status, (await apply.finish('failed')).status]).toEqual([
      null,
      204,
      401,
    ]);
    await judged(path, 'passed');
    expect(await runs.statusOf(run)).toBe('applied');
  });

  test('a failed plan has no post-plan stage', async () => {
    const agents = agentsOf(api, acme);
    const pool = await agents.pool('second');
    const workspace = await newWorkspace(byAgents(pool));
    await judge(workspace, ['post_plan']);
    const run = await runs.run(workspace);
    const plan = await (await agents.agent(pool)).take();
    await plan.start();
    await plan.finish('finished', { exit: 1, 'has-changes': true });
    expect(await runs.statusOf(run)).toBe('errored');
  });
});
