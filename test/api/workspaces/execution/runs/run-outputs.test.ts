import { describe, expect, test } from 'vitest';
import { sql } from '../../../../../src/storage/index.ts';
import { databaseKinds } from '../../../../support/databases.ts';
import { NOT_STARTED, withAgentPool } from '../../support/agent-pool.ts';
import { byAgents, type TestAgent, type TestJob } from '../../support/agents.ts';

const countBlobs = sql<Record<string, never>, { count: number }>('SELECT COUNT(*) AS count FROM blob');

describe.each(databaseKinds)('uploads of plans and applies, on %s', (kind) => {
  let { api, acme, runs, agents, pool } = NOT_STARTED;
  let agent: TestAgent;
  let job: TestJob;
  let workspace: string;
  let run: string;
  let plan: string;
  let apply: string;
  withAgentPool(kind, async (made) => {
    ({ api, acme, runs, agents, pool } = made);
    agent = await agents.agent(pool);
    workspace = await runs.workspace('one', byAgents(pool));
    run = await runs.run(workspace);
    job = await agent.take();
    const { relationships } = await runs.show(run);
    plan = `/plans/${job.id}`;
    apply = `/applies/${relationships.apply.data.id}`;
    await job.start();
  });

  const blobs = async () => Number((await api.workspaces.database.one(countBlobs, {}))?.count);
  const planned = () => job.finish('finished', { 'has-changes': true });
  const confirm = () => acme.owner.call('POST', `/runs/${run}/actions/apply`);

  test('is returned unchanged to users who may read it', async () => {
    const content = { planned_values: { secret: 'x'.repeat(100_000) } };
    for (const name of ['json-output', 'json-output-redacted', 'provider-schemas']) {
      expect((await acme.owner.call('GET', `${plan}/${name}`)).status).toBe(204);
      expect((await job.call('PUT', `${plan}/${name}`, content)).status).toBe(204);
      const read = await acme.owner.call('GET', `${plan}/${name}`);
      expect([read.status, read.headers['content-type'], read.body]).toEqual([200, 'application/json', content]);
      expect(read.headers['content-length']).toBe(String(JSON.stringify(content).length));
    }
    const reader = await acme.machine('reads', { 'read-workspaces': true });
    expect((await reader.call('GET', `${plan}/json-output-redacted`)).body).toEqual(content);
    expect((await reader.call('GET', `${plan}/provider-schemas`)).body).toEqual(content);
    expect((await reader.call('GET', `${plan}/json-output`)).status).toBe(404);
    expect((await reader.call('PUT', `${plan}/json-output`, content)).status).toBe(404);
    const stranger = await api.user(`s-${acme.name}`);
    expect((await stranger.call('GET', `${plan}/json-output-redacted`)).status).toBe(404);
  });

  test('is replaced by a later upload', async () => {
    const before = await blobs();
    for (const round of [1, 2, 2]) await job.call('PUT', `${plan}/json-output`, { round });
    expect((await acme.owner.call('GET', `${plan}/json-output`)).body).toEqual({ round: 2 });
    expect(await blobs()).toBe(before + 1);
  });

  test('the folder of a plan is for the agent that applies it, and is deleted when the run is over', async () => {
    const before = await blobs();
    const folder = { not: 'an archive' };
    await job.call('PUT', `${plan}/folder`, folder);
    expect((await acme.owner.call('GET', `${plan}/folder`)).status).toBe(404);
    await planned();
    expect((await job.call('GET', `${plan}/folder`)).status).toBe(401);
    await confirm();
    const other = await (await agents.agent(pool)).take();
    expect(other.runId).toBe(run);
    expect((await other.call('GET', `${plan}/folder`)).status).toBe(409);
    await other.start();
    const read = await other.call('GET', `${plan}/folder`);
    expect([read.status, read.headers['content-type']]).toEqual([200, 'application/octet-stream']);
    expect(JSON.parse(read.text)).toEqual(folder);
    await other.finish('finished');
    expect(await runs.statusOf(run)).toBe('applied');
    expect(await blobs()).toBe(before);
  });

  test('is accepted from the agent that executes the run, as long as it executes', async () => {
    await runs.run(await runs.workspace('two', byAgents(pool)));
    const other = await (await agents.agent(pool)).take();
    await other.start();
    for (const { call } of [agent, other]) expect((await call('PUT', `${plan}/json-output`, {})).status).toBe(404);
    expect((await job.call('PUT', `${apply}/json-output`, {})).status).toBe(404);
    expect((await job.call('PUT', `${plan}/errored-state`, {})).status).toBe(404);
    expect((await acme.owner.call('GET', '/plans/plan-0000000000000000/json-output')).status).toBe(404);
    await planned();
    expect((await job.call('PUT', `${plan}/json-output`, {})).status).toBe(401);
    expect((await acme.owner.call('PUT', `${plan}/json-output`, {})).status).toBe(409);
  });

  test('a state that could not be stored is available to users who may read states', async () => {
    await planned();
    await confirm();
    const applying = await agent.take();
    await applying.start();
    const state = { version: 4, serial: 7 };
    expect((await applying.call('PUT', `${apply}/errored-state`, state)).status).toBe(204);
    await applying.finish('failed');
    expect(await runs.statusOf(run)).toBe('errored');
    expect((await acme.owner.call('GET', `${apply}/errored-state`)).body).toEqual(state);
    expect((await applying.call('GET', `${apply}/errored-state`)).status).toBe(404);
  });

  test('is deleted with its run', async () => {
    const before = await blobs();
    await job.call('PUT', `${plan}/json-output`, { some: 'plan' });
    expect(await blobs()).toBe(before + 1);
    await acme.owner.call('POST', `/runs/${run}/actions/cancel`);
    await job.finish('canceled');
    expect(await runs.statusOf(run)).toBe('canceled');
    await api.workspaces.database.run(sql<{ id: string }>('DELETE FROM run WHERE id = :id'), { id: run });
    expect(await blobs()).toBe(before);
  });
});
