import { describe, expect, test } from 'vitest';
import { databaseKinds } from '../../../../support/databases.ts';
import { NOT_STARTED, withAgentPool } from '../../support/agent-pool.ts';
import { byAgents } from '../../support/agents.ts';

describe.each(databaseKinds)('runs of a backup that is restored, on %s', (kind) => {
  let { api, acme, runs, agents, pool } = NOT_STARTED;
  withAgentPool(kind, (made) => {
    ({ api, acme, runs, agents, pool } = made);
  });
  const endAll = () => api.workspaces.execution.interruptedRuns.endAll();

  test('executing runs become errored, waiting ones canceled, and no workspace stays locked', async () => {
    const workspace = await runs.workspace('one', byAgents(pool));
    const agent = await agents.agent(pool);
    const [running, waiting, last] = [
      await runs.run(workspace, { 'auto-apply': true }),
      await runs.run(workspace, { 'auto-apply': true }),
      await runs.run(workspace, { 'auto-apply': true }),
    ];
    await (await agent.take()).start();
    expect(await runs.statusOf(running)).toBe('planning');
    expect(await endAll()).toBe(3);
    const statuses = await Promise.all([running, waiting, last].map((run) => runs.statusOf(run)));
    expect(statuses).toEqual(['errored', 'canceled', 'canceled']);
    const { attributes } = await runs.place(workspace);
    expect(attributes.locked).toBe(false);
    expect((await agent.claim()).status).toBe(204);
    expect(await endAll()).toBe(0);
  });

  test('two processes that end them at once end each run once', async () => {
    const ids: string[] = [];
    for (const name of ['one', 'two', 'three']) ids.push(await runs.run(await runs.workspace(name, byAgents(pool))));
    await Promise.all([endAll(), endAll()]);
    for (const id of ids) {
      const events = (await acme.owner.call('GET', `/runs/${id}/run-events`)).body.data;
      const actions = events.map(({ attributes }: { attributes: { action: string } }) => attributes.action);
      expect(actions.filter((action: string) => action === 'canceled')).toEqual(['canceled']);
    }
  });

  test('what is being applied is errored, and what waits for a person waits on', async () => {
    const [one, other] = [await runs.workspace('one', byAgents(pool)), await runs.workspace('other', byAgents(pool))];
    const agent = await agents.agent(pool);
    const planned = async (workspace: string) => {
      const run = await runs.run(workspace);
      const job = await agent.take();
      await job.start();
      await job.finish('finished', { 'has-changes': true });
      expect(await runs.statusOf(run)).toBe('planned');
      return run;
    };
    const [applying, waiting] = [await planned(one), await planned(other)];
    expect((await runs.act(applying, 'apply')).status).toBe(202);
    await (await agent.take()).start();
    expect(await runs.statusOf(applying)).toBe('applying');
    expect(await endAll()).toBe(1);
    expect([await runs.statusOf(applying), await runs.statusOf(waiting)]).toEqual(['errored', 'planned']);
    expect((await runs.act(waiting, 'apply')).status).toBe(202);
  });
});
