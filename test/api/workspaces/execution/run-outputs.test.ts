import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { sql } from '../../../../src/storage/index.ts';
import { databaseKinds } from '../../../support/databases.ts';
import { agentsOf, byAgents, type TestAgent } from '../support/agents.ts';
import { startApi, type TestApi } from '../support/api.ts';
import { newOrganization, type TestOrganization } from '../support/organization.ts';
import { runsOf, type TestRuns } from '../support/runs.ts';

const countBlobs = sql<Record<string, never>, { count: number }>('SELECT COUNT(*) AS count FROM blob');

describe.each(databaseKinds)('what is handed in of plans and applies, on %s', (kind) => {
  let api: TestApi;
  let acme: TestOrganization;
  let runs: TestRuns;
  let agents: ReturnType<typeof agentsOf>;
  let pool: string;
  let agent: TestAgent;
  let workspace: string;
  let run: string;
  let plan: string;
  let apply: string;
  beforeAll(async () => {
    api = await startApi(kind);
  });
  afterAll(() => api.close());
  beforeEach(async () => {
    acme = await newOrganization(api);
    agents = agentsOf(api, acme);
    runs = runsOf(api, acme);
    pool = await agents.pool('first');
    agent = await agents.agent(pool);
    workspace = await runs.workspace('one', byAgents(pool));
    run = await runs.run(workspace);
    const { relationships } = (await agent.claim()).body.data;
    plan = `/plans/${relationships.plan.data.id}`;
    apply = `/applies/${relationships.apply.data.id}`;
    await runs.report(run, 'planning', {}, agent);
  });

  const blobs = async () => Number((await api.workspaces.database.one(countBlobs, {}))?.count);
  const planned = () => runs.report(run, 'planned', { 'resource-additions': 1 }, agent);
  const confirm = () => acme.owner.call('POST', `/runs/${run}/actions/apply`);

  test('comes back as it was, for those who may read it', async () => {
    const content = { planned_values: { secret: 'x'.repeat(100_000) } };
    for (const name of ['json-output', 'json-output-redacted', 'provider-schemas']) {
      expect((await acme.owner.call('GET', `${plan}/${name}`)).status).toBe(204);
      expect((await agent.call('PUT', `${plan}/${name}`, content)).status).toBe(204);
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

  test('is replaced by what is handed in later', async () => {
    const before = await blobs();
    for (const round of [1, 2, 2]) await agent.call('PUT', `${plan}/json-output`, { round });
    expect((await acme.owner.call('GET', `${plan}/json-output`)).body).toEqual({ round: 2 });
    expect(await blobs()).toBe(before + 1);
  });

  test('the folder of a plan is for whoever applies it, and goes when the run is over', async () => {
    const before = await blobs();
    const folder = { not: 'an archive' };
    await agent.call('PUT', `${plan}/folder`, folder);
    expect((await acme.owner.call('GET', `${plan}/folder`)).status).toBe(404);
    await planned();
    expect((await agent.call('GET', `${plan}/folder`)).status).toBe(404);
    await confirm();
    const other = await agents.agent(pool);
    expect((await other.claim()).body.data.id).toBe(run);
    const read = await other.call('GET', `${plan}/folder`);
    expect([read.status, read.headers['content-type']]).toEqual([200, 'application/octet-stream']);
    expect(JSON.parse(read.text)).toEqual(folder);
    await runs.report(run, 'applying', {}, other);
    await runs.report(run, 'applied', {}, other);
    expect(await blobs()).toBe(before);
  });

  test('is taken from whoever carries the run out, as long as that goes on', async () => {
    const other = await agents.agent(pool);
    expect((await other.call('PUT', `${plan}/json-output`, {})).status).toBe(409);
    expect((await agent.call('PUT', `${apply}/json-output`, {})).status).toBe(404);
    expect((await agent.call('PUT', `${plan}/errored-state`, {})).status).toBe(404);
    expect((await acme.owner.call('GET', '/plans/plan-0000000000000000/json-output')).status).toBe(404);
    await planned();
    expect((await agent.call('PUT', `${plan}/json-output`, {})).status).toBe(409);
    expect((await acme.owner.call('PUT', `${plan}/json-output`, {})).status).toBe(409);
  });

  test('a state that could not be stored is reached by those who may read states', async () => {
    await planned();
    await confirm();
    await agent.claim();
    await runs.report(run, 'applying', {}, agent);
    const state = { version: 4, serial: 7 };
    expect((await agent.call('PUT', `${apply}/errored-state`, state)).status).toBe(204);
    await runs.report(run, 'errored', {}, agent);
    expect((await acme.owner.call('GET', `${apply}/errored-state`)).body).toEqual(state);
    expect((await agent.call('GET', `${apply}/errored-state`)).status).toBe(404);
  });

  test('goes with its run', async () => {
    const before = await blobs();
    await agent.call('PUT', `${plan}/json-output`, { some: 'plan' });
    expect(await blobs()).toBe(before + 1);
    await acme.owner.call('POST', `/runs/${run}/actions/cancel`);
    await runs.report(run, 'canceled', {}, agent);
    await api.workspaces.database.run(sql<{ id: string }>('DELETE FROM run WHERE id = :id'), { id: run });
    expect(await blobs()).toBe(before);
  });
});
