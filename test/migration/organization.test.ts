import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { databaseKinds } from '../support/databases.ts';
import { fullOrganization } from './support/full-organization.ts';
import { connect, moveTo, sourceOf, startTwoServers, type TwoServers } from './support/two-servers.ts';

describe.each(databaseKinds)('an organization moves to another server, on %s', { timeout: 60_000 }, (kind) => {
  let servers: TwoServers;
  beforeAll(async () => {
    servers = await startTwoServers(kind);
    await fullOrganization(servers.old);
  });
  afterAll(() => servers.stop());

  it('is planned without writing anything', async () => {
    const { old, fresh } = servers;
    const report = await moveTo(fresh, await sourceOf(connect(old)), { isApplied: false });
    console.log(JSON.stringify(report, null, 1));
    expect(await fresh.user('GET', '/api/v2/organizations/moved')).toMatchObject({ status: 404 });
  });
  it('applies', async () => {
    const { old, fresh } = servers;
    const report = await moveTo(fresh, await sourceOf(connect(old), { states: 'all' }));
    console.log(JSON.stringify(report.notTaken, null, 1), report.states);
    const again = await moveTo(fresh, await sourceOf(connect(old), { states: 'all' }));
    console.log(JSON.stringify(again.changes.filter((c) => c.action !== 'same'), null, 1), again.notTaken, again.states, again.toFillIn);
  });
});
