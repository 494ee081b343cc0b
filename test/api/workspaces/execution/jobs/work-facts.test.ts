import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { workFacts } from '../../../../../src/workspaces/index.ts';
import { databaseKinds } from '../../../../support/databases.ts';
import { agentsOf, byAgents } from '../../support/agents.ts';
import { startApi, type TestApi } from '../../support/api.ts';
import { newOrganization } from '../../support/organization.ts';
import { runsOf } from '../../support/runs.ts';

describe.each(databaseKinds)('runs that wait for agents on %s', (kind) => {
  let api: TestApi;
  beforeAll(async () => {
    api = await startApi(kind);
  });
  afterAll(() => api.close());

  it('is counted over all organizations, with those who could take it', async () => {
    const facts = () => workFacts(api.workspaces.database, api.now());
    expect(await facts()).toEqual({ agents: 0, idle: 0, waiting: 0, oldest: undefined, unattended: 0 });
    const acme = await newOrganization(api);
    const agents = agentsOf(api, acme);
    const pool = await agents.pool('first');
    const runs = runsOf(api, acme);
    await runs.run(await runs.workspace('one', byAgents(pool)));
    expect(await facts()).toEqual({ agents: 0, idle: 0, waiting: 1, oldest: api.now(), unattended: 0 });
    const [one] = [await agents.agent(pool), await agents.agent(pool)];
    expect(await facts()).toMatchObject({ agents: 2, idle: 2, waiting: 1 });
    await one.take();
    expect(await facts()).toEqual({ agents: 2, idle: 1, waiting: 0, oldest: undefined, unattended: 0 });
    api.advance(3_600_000);
    expect(await facts()).toMatchObject({ agents: 0, idle: 0 });
  });
});
