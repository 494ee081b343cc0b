import { describe, expect, test } from 'vitest';
import { databaseKinds } from '../../../../support/databases.ts';
import { NOT_STARTED, withAgentPool } from '../../support/agent-pool.ts';
import { byAgents, type TestJob } from '../../support/agents.ts';
import { plannedRun } from '../../support/planned-runs.ts';
import { base64, stateText, versionBody } from '../../support/states.ts';

describe.each(databaseKinds)('the lock of an apply that is under way, on %s', (kind) => {
  let { acme, runs, agents, pool } = NOT_STARTED;
  let workspace: string;
  let run: string;
  let job: TestJob;
  withAgentPool(kind, async (made) => {
    ({ acme, runs, agents, pool } = made);
    const agent = await agents.agent(pool);
    workspace = await runs.workspace('one', byAgents(pool));
    run = await plannedRun(runs, agent, workspace);
    await runs.act(run, 'apply');
    job = await agent.take();
    await job.start();
  });

  const lock = (action: string) => acme.owner.call('POST', `/workspaces/${workspace}/actions/${action}`);
  const locked = async () => (await runs.place(workspace)).attributes.locked;
  const lastEvent = async () => (await acme.owner.call('GET', `/runs/${run}/run-events`)).body.data.at(-1).attributes;
  const write = (serial: number) =>
    job.call(
      'POST',
      `/workspaces/${workspace}/state-versions`,
      versionBody(
        stateText(serial),
        { serial, state: base64(stateText(serial)) },
        { run: { data: { type: 'runs', id: run } } },
      ),
    );
  const current = async () => {
    const { body } = await acme.owner.call('GET', `/workspaces/${workspace}/current-state-version`);
    return body.data?.attributes.serial;
  };

  test('interrupts it when it is taken away, and the state is stored', async () => {
    await write(1);
    await lock('force-unlock');
    const { attributes } = (await job.heartbeat()).body.data;
    expect(attributes.cancel).toBe('interrupt');
    expect(await lastEvent()).toMatchObject({
      action: 'lock_lost',
      description: expect.stringContaining('removed'),
    });
    expect((await write(2)).status).toBe(201);
    await job.finish('canceled');
    expect(await runs.statusOf(run)).toBe('canceled');
    expect(await current()).toBe(2);
    expect(await locked()).toBe(false);
  });

  test('that another user has taken since: they keep their state, and the state of the apply becomes its errored state', async () => {
    await lock('force-unlock');
    await lock('lock');
    const refused = await write(2);
    expect([refused.status, refused.body.errors[0].detail]).toEqual([
      409,
      expect.stringContaining('locked by another holder'),
    ]);
    const state = { version: 4, serial: 2 };
    expect((await job.call('PUT', `/applies/${job.id}/errored-state`, state)).status).toBe(204);
    await job.finish('failed', { reason: 'The state could not be stored' });
    expect(await runs.statusOf(run)).toBe('canceled');
    const { description } = await lastEvent();
    expect(description).toMatch(
      new RegExp(`^The run was interrupted: the lock of its workspace was removed by ${acme.owner.username} at 2`),
    );
    expect(description).toMatch(/\. The state could not be stored$/);
    expect((await acme.owner.call('GET', `/applies/${job.id}/errored-state`)).body).toEqual(state);
    expect(await locked()).toBe(true);
    expect(await current()).toBeUndefined();
  });

  test('that was done in spite of that is applied', async () => {
    await lock('force-unlock');
    await write(1);
    await job.finish('finished');
    expect([await runs.statusOf(run), await current()]).toEqual(['applied', 1]);
  });
});
